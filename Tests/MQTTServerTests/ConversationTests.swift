import Foundation
import MQTT
import Testing

@Suite("Conversations, byte by byte", .timeLimit(.minutes(1)))
struct ConversationTests {
    struct Conversation: Sendable, CustomTestStringConvertible {
        enum Line: Sendable {
            case sends([UInt8])
            case answers([UInt8])
            case closed
        }

        struct Unreadable: Error {
            var line: String
        }

        var testDescription: String
        var lines: [Line]

        static func all() throws -> [Conversation] {
            guard let url = Bundle.module.url(forResource: "conversations", withExtension: "txt", subdirectory: "Cases")
            else { throw Unreadable(line: "conversations.txt") }
            var conversations: [Conversation] = []
            for line in try String(contentsOf: url, encoding: .utf8).split(separator: "\n") where !line.hasPrefix("#") {
                if line.hasPrefix("[") {
                    conversations.append(Conversation(testDescription: String(line), lines: []))
                    continue
                }
                guard !conversations.isEmpty else { throw Unreadable(line: String(line)) }
                let bytes = try bytes(String(line.dropFirst()))
                switch line.first {
                case ">": conversations[conversations.count - 1].lines.append(.sends(bytes))
                case "<": conversations[conversations.count - 1].lines.append(.answers(bytes))
                case "x": conversations[conversations.count - 1].lines.append(.closed)
                default: throw Unreadable(line: String(line))
                }
            }
            return conversations
        }

        /// Hexadecimal digits, and text in apostrophes.
        private static func bytes(_ line: String) throws -> [UInt8] {
            try line.components(separatedBy: "'").enumerated().flatMap { index, part -> [UInt8] in
                guard index % 2 == 0 else { return Array(part.utf8) }
                return try part.split(separator: " ").map { digits in
                    guard let byte = UInt8(digits, radix: 16) else { throw Unreadable(line: line) }
                    return byte
                }
            }
        }
    }

    @Test("The server answers exactly", arguments: try Conversation.all())
    func conversation(_ conversation: Conversation) async throws {
        try await RunningListener.with { hub in
            try await hub.onLoop { delegate in
                delegate.isForbidden = { _, access, topic in access == .subscribe && topic == "secret" }
            }
            var client = try await TestClient(port: hub.port)
            for line in conversation.lines {
                switch line {
                case .sends(let bytes): try await client.send(bytes: bytes)
                case .answers(let bytes): #expect(await client.read(bytes.count) == bytes)
                case .closed: #expect(await client.readToEnd() == [])
                }
            }
            if conversation.testDescription.hasPrefix("[MQTT-3.1.4-5]") {
                #expect(try await hub.onLoop { $0.received } == [])
            }
            // What was refused was not subscribed.
            #expect(try await hub.onLoop { $0.subscribed.contains("secret") } == false)
        }
    }
}
