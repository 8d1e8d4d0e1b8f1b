import ArgumentParser
import Foundation
import HubKit
import HubServer
import Storage
import TestInstruments
import Testing

@Suite("The folder that a command names")
struct DataOptionTests {
    @Test("A folder without a hub is told in words and not made, and one that has a hub is opened")
    func database() throws {
        let folder = try TemporaryFolder()
        let option = try DataOption.parse(["--data", folder.path + "/hub"])
        let error = #expect(throws: ValidationError.self) { _ = try option.database() }
        #expect(error?.message.contains("There is no hub in \(folder.path)/hub") == true)
        #expect(throws: ValidationError.self) { try option.check() }
        #expect(throws: Never.self) { try option.check(orNew: true) }
        #expect(!folder.has("hub"))
        try HubDatabase(path: try DataFolder(path: folder.path + "/hub").databasePath).close()
        let database = try option.database()
        #expect(database.path == folder.path + "/hub/tandem.sqlite")
        try database.close()
    }

    @Test("A database that was emptied is not taken for a new one by a command on what is there")
    func emptied() throws {
        let folder = try TemporaryFolder()
        let path = try DataFolder(path: folder.path + "/hub").databasePath
        try Data().write(to: URL(fileURLWithPath: path))
        let option = try DataOption.parse(["--data", folder.path + "/hub"])
        let error = #expect(throws: ValidationError.self) { _ = try option.database() }
        #expect(error?.message.hasPrefix("\(path) is empty.") == true)
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)).isEmpty)
    }
}
