import Wire

/// The reason why a file is not an experiment.
public enum ExperimentError: Error, Sendable, Equatable {
    /// The file is not JSON, from this offset in bytes on.
    case json(offset: Int)
    /// The file is too large.
    case tooLarge
    /// The file does not begin with `tandemExperiment`.
    case unrecognized
    /// The file is of a version that is newer than this build.
    case newerVersion(Int64)
    /// A member of this name is not known, or comes twice.
    case unknownMember([UInt8])
    /// A member of this name is missing, or is not what it should be.
    case badMember([UInt8])
    /// A sensor of this name does not exist, or comes twice.
    case sensor([UInt8])
    /// A list of this name has too many items.
    case tooMany([UInt8])
    /// A name is invalid, or is taken.
    case name([UInt8])
    /// A formula, by its name, is invalid, with the reason.
    case formula([UInt8], Formula.Failure)
    /// A plot draws a channel that does not exist.
    case plot([UInt8])

    init(_ error: JSONError) {
        self = error.kind == .tooLarge ? .tooLarge : .json(offset: error.offset)
    }

    /// The number of the error, which the test vectors name.
    package var number: Int64 {
        switch self {
        case .json: 1
        case .tooLarge: 2
        case .unrecognized: 3
        case .newerVersion: 4
        case .unknownMember: 5
        case .badMember: 6
        case .sensor: 7
        case .tooMany: 8
        case .name: 9
        case .formula: 10
        case .plot: 11
        }
    }

    /// The subject of the error, UTF-8: the name of a member, a sensor, a formula or a channel; nil for the file as a
    /// whole.
    public var subject: [UInt8]? {
        switch self {
        case .json, .tooLarge, .unrecognized, .newerVersion: nil
        case .unknownMember(let name), .badMember(let name), .sensor(let name), .tooMany(let name), .name(let name),
            .formula(let name, _), .plot(let name):
            name
        }
    }
}
