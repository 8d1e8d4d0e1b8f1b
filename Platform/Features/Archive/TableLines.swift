import Foundation
import GRDB
import Wire

/// The encoding of a table's rows as JSON lines: one object for each row, one member for each column. Values that JSON
/// lacks are objects: `{"base64":"…"}` for bytes, `{"file":"…"}` for bytes in a file of the archive, `{"real":"inf"}`.
enum TableLines {
    /// The length of a line that is read, at most, in bytes.
    static let longestLine = 96 << 20

    /// A value in a line.
    enum Value: Equatable {
        case value(DatabaseValue)
        /// A file, by its name in the archive.
        case file(String)
    }

    /// An error for a line that cannot be read.
    struct Malformed: Error {}

    /// A row as a line.
    ///
    /// - Parameter replaced: the value in place of a column's own; nil to keep it.
    static func line(_ row: Row, replaced: (String) -> Value?) -> [UInt8] {
        line(row.map { column, value in (key: column, value: replaced(column) ?? .value(value)) })
    }

    /// Columns and values as a line.
    static func line(_ columns: some Sequence<(key: String, value: Value)>) -> [UInt8] {
        var text = TextWriter()
        text.write("{")
        var isFirst = true
        for (column, value) in columns {
            if !isFirst { text.write(",") }
            isFirst = false
            write(column, to: &text)
            text.write(":")
            switch value {
            case .file(let name):
                text.write("{\"file\":")
                write(name, to: &text)
                text.write("}")
            case .value(let value): write(value, to: &text)
            }
        }
        text.write("}\n")
        return text.bytes
    }

    private static func write(_ value: DatabaseValue, to text: inout TextWriter) {
        switch value.storage {
        case .null: text.write("null")
        case .int64(let number): text.write(number)
        case .double(let number) where number.isFinite: text.write(bytes: Array("\(number)".utf8))
        case .double(let number):
            text.write("{\"real\":\"")
            text.write(bytes: Array("\(number)".utf8))
            text.write("\"}")
        case .string(let string): write(string, to: &text)
        case .blob(let data):
            text.write("{\"base64\":\"")
            text.write(bytes: Array(data.base64EncodedData()))
            text.write("\"}")
        }
    }

    private static func write(_ string: String, to text: inout TextWriter) {
        text.write(jsonString: Array(string.utf8).span)
    }

    /// The columns and values of a line.
    ///
    /// - Throws: `Malformed`, `JSONError`.
    static func read(_ line: [UInt8]) throws -> [String: Value] {
        let text = line.span
        var reader = JSONReader(depthLimit: 2, sizeLimit: longestLine)
        guard try reader.next(in: text) == .objectStart else { throw Malformed() }
        var columns: [String: Value] = [:]
        while true {
            switch try reader.next(in: text) {
            case .key(let range):
                let column = String(decoding: JSONReader.unescaped(range, in: text), as: UTF8.self)
                guard columns.updateValue(try value(&reader, line), forKey: column) == nil else { throw Malformed() }
            case .objectEnd:
                guard try reader.next(in: text) == .end else { throw Malformed() }
                return columns
            default: throw Malformed()
            }
        }
    }

    private static func value(_ reader: inout JSONReader, _ line: [UInt8]) throws -> Value {
        let text = line.span
        switch try reader.next(in: text) {
        case .null: return .value(.null)
        case .number(let range):
            let number = String(decoding: line[range], as: UTF8.self)
            if let whole = Int64(number) { return .value(whole.databaseValue) }
            guard let real = Double(number) else { throw Malformed() }
            return .value(real.databaseValue)
        case .string(let range):
            return .value(String(decoding: JSONReader.unescaped(range, in: text), as: UTF8.self).databaseValue)
        case .objectStart:
            guard case .key(let name) = try reader.next(in: text), case .string(let range) = try reader.next(in: text),
                try reader.next(in: text) == .objectEnd
            else { throw Malformed() }
            let string = String(decoding: JSONReader.unescaped(range, in: text), as: UTF8.self)
            switch String(decoding: line[name], as: UTF8.self) {
            case "file": return .file(string)
            case "base64":
                guard let data = Data(base64Encoded: string) else { throw Malformed() }
                return .value(data.databaseValue)
            case "real":
                guard let real = Double(string), real.isInfinite else { throw Malformed() }
                return .value(real.databaseValue)
            default: throw Malformed()
            }
        default: throw Malformed()
        }
    }
}

/// A splitter of bytes into lines.
struct LineSplitter {
    private var rest: [UInt8] = []

    init() {}

    /// Takes bytes and passes on complete lines.
    ///
    /// - Parameter body: receives each line without its end.
    /// - Throws: `TableLines.Malformed` for a line that is too long, and the errors of `body`.
    mutating func take(_ bytes: [UInt8], _ body: ([UInt8]) throws -> Void) throws {
        var start = bytes.startIndex
        while let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) {
            let line = rest + bytes[start..<end]
            rest.removeAll(keepingCapacity: true)
            if !line.isEmpty { try body(line) }
            start = end + 1
        }
        rest += bytes[start...]
        guard rest.count <= TableLines.longestLine else { throw TableLines.Malformed() }
    }

    /// Passes on the last line if it has no end.
    mutating func finish(_ body: ([UInt8]) throws -> Void) throws {
        if !rest.isEmpty { try body(rest) }
        rest = []
    }
}
