import ClientKit
import TestInstruments
import Testing

@Suite("A file that somebody names to a command")
struct CommandFileTests {
    @Test("What cannot be taken is told for what it is: missing, a folder, empty, too large")
    func faults() throws {
        let folder = try TemporaryFolder()
        let file = folder.path + "/song.txt"
        #expect(throws: CommandFile.Failure.missing) { try CommandFile.read(file, upTo: 10) }
        #expect(throws: CommandFile.Failure.folder) { try CommandFile.read(folder.path, upTo: 10) }
        try folder.write("", to: "song.txt")
        #expect(throws: CommandFile.Failure.empty) { try CommandFile.read(file, upTo: 10) }
        try folder.write(String(repeating: " ", count: 11), to: "song.txt")
        #expect(throws: CommandFile.Failure.tooLarge(limit: 10)) { try CommandFile.read(file, upTo: 10) }
        #expect(try CommandFile.read(file, upTo: 11).count == 11)
        #expect(CommandFile.Failure.empty.message.contains("empty"))
        #expect(CommandFile.Failure.tooLarge(limit: 32 << 20).message.contains("32 MB"))
        #expect(CommandFile.Failure.tooLarge(limit: 512 << 10).message.contains("512 KB"))
    }
}
