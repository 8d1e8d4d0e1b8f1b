import Foundation
import Testing

@testable import HubKit

@Suite("The folder that holds everything")
struct DataFolderTests {
    /// A folder whose owner is not root, whoever runs the tests.
    private func folder() throws -> (path: String, owner: String) {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("folder-\(UUID().uuidString)").path
        _ = try DataFolder(path: path)
        if geteuid() == 0 { try #require(chown(path, 65_533, 65_533) == 0) }
        let name = try FileManager.default.attributesOfItem(atPath: path)[.ownerAccountName] as? String
        return (path, name ?? "'#65533'")
    }

    @Test("Root is refused in another’s folder, with the command as its owner gives it")
    func root() throws {
        let (path, owner) = try folder()
        defer { try? FileManager.default.removeItem(atPath: path) }
        let command = ["tandem", "device", "add", "--name", "Ines’s fern; it's", "--data", path]
        let error = #expect(throws: DataFolderError.self) {
            try DataFolder.checkOwner(of: path, user: 0, command: command)
        }
        let words = "\(try #require(error))"
        #expect(words.contains(path))
        #expect(
            words.hasSuffix(
                "sudo -u \(owner) tandem device add --name 'Ines’s fern; it'\\''s' --data \(path)"), "\(words)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: path).isEmpty)
    }

    @Test("Its owner, root in a folder of root’s, and whoever makes a new one are not")
    func owner() throws {
        let (path, _) = try folder()
        defer { try? FileManager.default.removeItem(atPath: path) }
        #expect(throws: Never.self) {
            try DataFolder.checkOwner(of: path, user: 65_533)
            try DataFolder.checkOwner(of: "/", user: 0)
            try DataFolder.checkOwner(of: path + "/new", user: 0)
        }
    }
}
