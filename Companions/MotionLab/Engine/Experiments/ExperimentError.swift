import Wire

/// Why a file is no experiment.
public enum ExperimentError: Error, Sendable, Equatable {
    /// It is no JSON, from so many bytes on.
    case json(offset: Int)
    /// It is larger than may be.
    case tooLarge
    /// It does not begin with `tandemExperiment`.
    case unrecognized
    /// It is of a version that came after this build.
    case newerVersion(Int64)
    /// A member of this name is not known, or comes twice.
    case unknownMember([UInt8])
    /// A member of this name is missing, or is not what it should be.
    case badMember([UInt8])
    /// There is no sensor of this name, or it comes twice.
    case sensor([UInt8])
    /// There are more of something than may be.
    case tooMany([UInt8])
    /// A name is no name, or is taken.
    case name([UInt8])
    /// A formula, by its name, and what is wrong with it.
    case formula([UInt8], Formula.Failure)
    /// A plot draws a channel that there is not.
    case plot([UInt8])

    init(_ error: JSONError) {
        self = error.kind == .tooLarge ? .tooLarge : .json(offset: error.offset)
    }

    /// Its number, which the vectors name.
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

    /// What it is about, UTF-8: the name of a member, a sensor, a formula or a channel; nil for the file as a whole.
    public var subject: [UInt8]? {
        switch self {
        case .json, .tooLarge, .unrecognized, .newerVersion: nil
        case .unknownMember(let name), .badMember(let name), .sensor(let name), .tooMany(let name), .name(let name),
            .formula(let name, _), .plot(let name):
            name
        }
    }
}
