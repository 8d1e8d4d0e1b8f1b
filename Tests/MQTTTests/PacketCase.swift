import Foundation
import MQTT
import NIOCore
import Testing

/// One case of the files in `Cases`; their README tells the format.
struct PacketCase: Sendable, CustomTestStringConvertible {
    enum Expectation: Sendable, Equatable {
        case packet(String, writtenAs: [UInt8])
        case violation(clause: String)
        case incomplete
        case otherLevel
    }

    struct Unreadable: Error {
        var line: String
    }

    var file: String
    var title: String
    var bytes: [UInt8]
    var expectation: Expectation

    /// What a connection speaks on which the bytes come.
    var version: ProtocolVersion {
        switch file {
        case "mqtt31": .v31
        case "mqtt5": .v5
        default: .v311
        }
    }

    var testDescription: String { "\(file): \(title)" }

    static func all() throws -> [PacketCase] {
        try ["connect", "header", "publish", "subscribe", "mqtt31", "mqtt5"].flatMap { file in
            guard let url = Bundle.module.url(forResource: file, withExtension: "txt", subdirectory: "Cases") else {
                throw Unreadable(line: file)
            }
            let text = try String(contentsOf: url, encoding: .utf8)
            return try text.trimmingCharacters(in: .newlines).components(separatedBy: "\n\n").map {
                try PacketCase($0, file: file)
            }
        }
    }

    private init(_ paragraph: String, file: String) throws {
        let lines = paragraph.split(separator: "\n").map(String.init)
        guard lines.count == 3, lines[0].hasPrefix("[") else { throw Unreadable(line: paragraph) }
        self.file = file
        title = lines[0]
        bytes = try Self.bytes(lines[1])
        switch lines[2].first {
        case "=":
            let parts = lines[2].dropFirst(2).components(separatedBy: " => ")
            let words = parts[0].replacingOccurrences(of: "\\u{FEFF}", with: "\u{FEFF}")
            expectation = .packet(words, writtenAs: try parts.count > 1 ? Self.bytes(parts[1]) : bytes)
        case "!": expectation = .violation(clause: String(lines[2].dropFirst(2)))
        case "~": expectation = .incomplete
        case "?": expectation = .otherLevel
        default: throw Unreadable(line: lines[2])
        }
    }

    /// Hexadecimal digits, and text in apostrophes.
    static func bytes(_ line: String) throws -> [UInt8] {
        var bytes: [UInt8] = []
        for (index, part) in line.components(separatedBy: "'").enumerated() {
            if index % 2 == 1 {
                bytes += part.utf8
                continue
            }
            let digits = part.filter { $0 != " " }
            guard digits.count % 2 == 0 else { throw Unreadable(line: line) }
            var rest = digits[...]
            while !rest.isEmpty {
                guard let byte = UInt8(rest.prefix(2), radix: 16) else { throw Unreadable(line: line) }
                bytes.append(byte)
                rest = rest.dropFirst(2)
            }
        }
        return bytes
    }
}
