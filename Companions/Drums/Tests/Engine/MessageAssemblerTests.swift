import Testing

@testable import DrumsEngine

/// The messages that close a cue (wire formats, A2 and A3).
@Suite("Notifications of a kit")
struct MessageAssemblerTests {
    private static func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

    @Test(
        "A message that ends with END closes the cue, whether END comes on its own or with the last piece",
        arguments: [
            ["3 1 350 -1.00\0", "END\0"], ["3 1 350 -1.00", "END"], ["3 1 350 -1.00END\0"],
            ["3 1 350", " -1.00END\0rest"], ["3 1 350 -1.00 END"], ["3 1 350 -1.00\r\n", "END\r\n"],
        ])
    func closed(pieces: [String]) throws {
        var assembler = MessageAssembler()
        for piece in pieces.dropLast() { #expect(assembler.take(Self.bytes(piece)) == nil) }
        guard case .readable(let message)? = assembler.take(Self.bytes(pieces.last ?? "")) else {
            Issue.record("not closed")
            return
        }
        // The other hand landed just after: drum 1 is right, and drum 3 came first, so the beat is wrong.
        #expect(message == KitMessage(text: Self.bytes("3 1 350 -1.00")))
    }

    @Test("What was closed is no part of the next message, and what is noise is said to be noise")
    func next() {
        var assembler = MessageAssembler()
        guard case .noise? = assembler.take(Self.bytes("helloEND")) else {
            Issue.record("not noise")
            return
        }
        guard case .readable? = assembler.take(Self.bytes("1 400 3.20END")) else {
            Issue.record("not readable")
            return
        }
    }
}
