import @NAME@Engine
import VectorLines
import Wire

/// The engine's answers to lines of test vectors: a command and its words, separated by tabs, in; the answer out. Every
/// build of the engine answers `Companions/@NAME@/Vectors`.
public struct EngineVector {
    public init() {}

    /// Answers one line; `unknown command` where it knows no such command, `bad arguments` where they do not fit it.
    public mutating func answer(_ line: [UInt8]) -> [UInt8] {
        let arguments = VectorLine(line)
        var text = TextWriter()
        guard let command = arguments.command else { return text.bytes }
        if matches(command.span, "read") {
            do throws(Level.Failure) {
                write(Level.state(try Level.read(arguments.text(1).span)), &text)
            } catch {
                text.write("fault ", Int64(error.rawValue))
            }
        } else if matches(command.span, "state") {
            if let percent = arguments.decimal(1) {
                write(Level.state(percent), &text)
            } else {
                _ = text.refuse()
            }
        } else {
            text.write("unknown command")
        }
        return text.bytes
    }

    private func write(_ state: Level.State, _ text: inout TextWriter) {
        switch state {
        case .low: text.write("low")
        case .fine: text.write("fine")
        case .high: text.write("high")
        }
    }
}
