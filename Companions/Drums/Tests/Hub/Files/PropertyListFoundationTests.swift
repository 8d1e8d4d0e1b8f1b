import Foundation
import TestInstruments
import Testing

@testable import DrumsEngine

@Suite("The engine's property lists and Foundation's")
struct PropertyListFoundationTests {
    /// A value as Foundation takes it, and as the engine has to read it.
    private static func value(depth: Int, isBinary: Bool, _ random: inout SeededGenerator) -> (Any, PropertyList) {
        func text(_ random: inout SeededGenerator) -> String {
            let scalars = (0..<Int.random(in: 0...20, using: &random)).map { _ in
                // What XML can hold: it has no control characters, and no half pairs.
                let range: ClosedRange<UInt32> =
                    Bool.random(using: &random)
                    ? 0x20...0x7E : Bool.random(using: &random) ? 0xA0...0xD7FF : 0x10000...0x1FFFD
                return Unicode.Scalar(UInt32.random(in: range, using: &random)) ?? " "
            }
            return String(String.UnicodeScalarView(scalars))
        }
        switch Int.random(in: depth > 0 ? 0...8 : 2...8, using: &random) {
        case 0:
            let items = (0..<Int.random(in: 0...20, using: &random)).map { _ in
                value(depth: depth - 1, isBinary: isBinary, &random)
            }
            return (items.map(\.0), .array(items.map(\.1)))
        case 1:
            var dictionary: [String: Any] = [:]
            var entries: [PropertyList.Entry] = []
            for _ in 0..<Int.random(in: 0...6, using: &random) {
                let key = text(&random)
                let (any, list) = value(depth: depth - 1, isBinary: isBinary, &random)
                guard dictionary[key] == nil else { continue }
                dictionary[key] = any
                entries.append(.init(key: Array(key.utf8), value: list))
            }
            return (dictionary, .dictionary(entries))
        case 2:
            let integer = Int.random(in: .min ... .max, using: &random) >> Int.random(in: 0...63, using: &random)
            return (integer, .integer(Int64(integer)))
        case 3:
            let bool = Bool.random(using: &random)
            return (bool, .boolean(bool))
        case 4:
            let real = Double(Int.random(in: -1_000_000...1_000_000, using: &random)) / 64
            return (real, .real(real))
        case 5:
            let bytes = (0..<Int.random(in: 0...80, using: &random)).map { _ in
                UInt8.random(in: 0...255, using: &random)
            }
            return (Data(bytes), .data(bytes))
        case 6:
            let (day, hour, minute) = (
                Int.random(in: 1...28, using: &random), Int.random(in: 0...23, using: &random),
                Int.random(in: 0...59, using: &random)
            )
            let date = Date(timeIntervalSince1970: 1_459_468_800 + Double(((day - 1) * 24 + hour) * 60 + minute) * 60)
            return (
                date,
                .date(
                    isBinary
                        ? .seconds(date.timeIntervalSinceReferenceDate)
                        : .fields(
                            year: 2016, month: 4, day: UInt8(day), hour: UInt8(hour), minute: UInt8(minute), second: 0))
            )
        default:
            let string = text(&random)
            return (string, .text(Array(string.utf8)))
        }
    }

    /// Dictionaries have no order.
    private static func sorted(_ list: PropertyList) -> PropertyList {
        switch list {
        case .array(let items): .array(items.map(sorted))
        case .dictionary(let entries):
            .dictionary(
                entries.map { .init(key: $0.key, value: sorted($0.value)) }
                    .sorted { $0.key.lexicographicallyPrecedes($1.key) })
        default: list
        }
    }

    @Test("What Foundation writes is read as it was meant", arguments: UInt64(1)...20, [false, true])
    func same(seed: UInt64, isBinary: Bool) throws {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<10 {
            let (any, expected) = Self.value(depth: 4, isBinary: isBinary, &random)
            let data = try PropertyListSerialization.data(
                fromPropertyList: [any], format: isBinary ? .binary : .xml, options: 0)
            let read = try PropertyList(Array(data))
            let isSame = Self.sorted(read) == Self.sorted(.array([expected]))
            #expect(isSame, "seed \(seed)")
        }
    }
}
