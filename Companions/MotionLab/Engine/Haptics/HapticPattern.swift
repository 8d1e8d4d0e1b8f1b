/// What a phone does at a press: milliseconds of vibration and of rest in turns, the first of vibration.
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
        public static let milliseconds = 2_000
        public static let parts = 32
    }

    public let milliseconds: [UInt16]

    /// Why parts are no pattern.
    public enum Failure: Error, Sendable, Equatable {
        case empty
        case tooMany
        /// A part is longer than may be, or one but the first lasts no time.
        case part(Int)
    }

    public init(_ milliseconds: [UInt16]) throws(Failure) {
        guard !milliseconds.isEmpty else { throw .empty }
        guard milliseconds.count <= Limits.parts else { throw .tooMany }
        for (place, part) in milliseconds.enumerated() where part == 0 || Int(part) > Limits.milliseconds {
            throw .part(place)
        }
        self.milliseconds = milliseconds
    }

    /// A vibration motor knows on and off and no strength, so an impact is as long as it is strong, and a notification
    /// has the rhythm of the phone's own.
    public init(_ intensity: Intensity) {
        milliseconds =
            switch intensity {
            case .light: [12]
            case .medium: [22]
            case .heavy: [40]
            case .rigid: [8]
            case .soft: [30]
            case .success: [18, 90, 34]
            case .warning: [34, 110, 18]
            case .error: [26, 60, 26, 60, 44]
            case .selection: [5]
            }
    }

    /// From the first to the end of the last.
    public var totalMilliseconds: Int { milliseconds.reduce(0) { $0 + Int($1) } }
}
