/// The vibration of a phone at a press: milliseconds of vibration and of rest in turns, the first of vibration.
public struct HapticPattern: Sendable, Equatable {
    /// The intensities of iOS' feedback generators, in their order: impacts, notifications, selection.
    public enum Intensity: UInt8, Sendable, CaseIterable {
        case light = 0
        case medium = 1
        case heavy = 2
        case rigid = 3
        case soft = 4
        case success = 5
        case warning = 6
        case error = 7
        case selection = 8
    }

    /// The most milliseconds of one part, and parts of one pattern. Browsers cut off what is longer.
    public enum Limits {
        /// The most milliseconds of one part.
        public static let milliseconds = 2_000
        /// The most parts of one pattern.
        public static let parts = 32
    }

    /// The milliseconds of the parts.
    public let milliseconds: [UInt16]

    /// The reason why parts are not a pattern.
    public enum Failure: Error, Sendable, Equatable {
        case empty
        case tooMany
        /// A part is longer than may be, or one but the first lasts no time.
        case part(Int)
    }

    /// A pattern of parts.
    public init(_ milliseconds: [UInt16]) throws(Failure) {
        guard !milliseconds.isEmpty else { throw .empty }
        guard milliseconds.count <= Limits.parts else { throw .tooMany }
        for (place, part) in milliseconds.enumerated() where part == 0 || Int(part) > Limits.milliseconds {
            throw .part(place)
        }
        self.milliseconds = milliseconds
    }

    /// The pattern of an intensity. A vibration motor knows on and off and no strength, so an impact is as long as it
    /// is strong, and a notification has the rhythm of the phone's own.
    public init(_ intensity: Intensity) {
        let start = Int(intensity.rawValue) * Self.width
        milliseconds = Self.table[start..<start + Self.width].filter { $0 > 0 }
    }

    /// The most parts of a pattern in the table.
    private static let width = 5
    /// The patterns one after the other in the order of the intensities, padded with zeros. A `switch` that gives an
    /// array for each came out in reverse order in WebAssembly (Swift 6.3, Embedded).
    private static let table: [UInt16] = [
        12, 0, 0, 0, 0,
        22, 0, 0, 0, 0,
        40, 0, 0, 0, 0,
        8, 0, 0, 0, 0,
        30, 0, 0, 0, 0,
        18, 90, 34, 0, 0,
        34, 110, 18, 0, 0,
        26, 60, 26, 60, 44,
        5, 0, 0, 0, 0,
    ]

    /// The time from the first part to the end of the last.
    public var totalMilliseconds: Int { milliseconds.reduce(0) { $0 + Int($1) } }
}
