import DrumsEngine
import VectorLines
import Wire

/// The engine on a line: a command in, its answer out, both as text, so that one file of examples runs through every
/// build of the engine and the answers can be compared byte for byte.
///
/// A command is words separated by tabs; `Companions/Drums/Vectors` shows each.
public struct EngineVector {
    private var sessions = SessionVector()
    private var statistics = StatisticsVector()
    private var songs = SongVector()

    /// A runner that remembers nothing yet.
    public init() {}

    /// Answers one line; `unknown command` where it knows no such command, `bad arguments` where they do not fit it.
    public mutating func answer(_ line: [UInt8]) -> [UInt8] {
        let line = VectorLine(line)
        var text = TextWriter()
        guard let command = line.command else { return text.bytes }
        let isKnown =
            sessions.answer(command.span, line, &text) || statistics.answer(command.span, line, &text)
            || songs.answer(command.span, line, &text)
        if !isKnown { text.write("unknown command") }
        return text.bytes
    }
}
