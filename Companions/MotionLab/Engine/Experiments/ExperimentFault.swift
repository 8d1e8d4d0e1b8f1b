import Wire

/// Why a file is no experiment.
public enum ExperimentFault: Error, Sendable, Equatable {
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
    case formula([UInt8], Formula.Fault)
    /// A plot draws a channel that there is not.
    case plot([UInt8])

    init(_ error: JSONError) {
        self = error.kind == .tooLarge ? .tooLarge : .json(offset: error.offset)
    }

    /// What to tell whoever wrote it, UTF-8.
    public func words() -> [UInt8] {
        var writer = TextWriter()
        switch self {
        case .json(let offset):
            writer.write("This is not JSON from byte ", Int64(offset))
            writer.write(" on.")
        case .tooLarge: writer.write("An experiment may have 64 KB at most.")
        case .unrecognized: writer.write("An experiment begins with {\"tandemExperiment\": 1, …}.")
        case .newerVersion(let version):
            writer.write("This experiment has version ", version)
            writer.write(" of the format, and this Tandem reads version 1. Update Tandem.")
        case .unknownMember(let name):
            writer.quote(name)
            writer.write(" is not known here, or stands twice.")
        case .badMember(let name):
            writer.quote(name)
            writer.write(" is missing, or is not what it should be.")
        case .sensor(let name):
            writer.write("There is no sensor ")
            writer.quote(name)
            writer.write(", or it stands twice.")
        case .tooMany(let name):
            writer.write("There are too many ")
            writer.quote(name)
            writer.write(".")
        case .name(let name):
            writer.quote(name)
            writer.write(
                " can be no name, or something else has it. A name is a letter and then letters, digits, _ and points.")
        case .formula(let name, let fault):
            writer.write("The formula ")
            writer.quote(name)
            switch fault.kind {
            case .unexpectedEnd: writer.write(" ends too early")
            case .unexpectedCharacter: writer.write(" has a character that cannot stand there")
            case .badNumber: writer.write(" has a number that is none")
            case .unknownName: writer.write(" has a name that is not known")
            case .tooLong: writer.write(" is too long")
            case .tooDeep: writer.write(" has too many brackets within brackets")
            }
            writer.write(", at character ", Int64(fault.offset + 1))
            writer.write(".")
        case .plot(let name):
            writer.write("A plot draws ")
            writer.quote(name)
            writer.write(", which is no channel.")
        }
        return writer.bytes
    }
}

extension TextWriter {
    fileprivate mutating func quote(_ text: [UInt8]) {
        write("“")
        write(bytes: Array(text.prefix(80)))
        write("”")
    }
}
