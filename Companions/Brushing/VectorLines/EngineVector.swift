import BrushingEngine
import VectorLines
import Wire

/// The engine on a line: a command in, its answer out, both as text, so that one file of examples runs through every
/// build of the engine and the answers can be compared byte for byte.
///
/// A command is words separated by tabs; `Companions/Brushing/Vectors` shows each. What it remembers from line to line
/// is one session and one person's progress.
public struct EngineVector {
    private var sessions = SessionVector()
    private var progress = ProgressVector()

    /// A runner that remembers nothing yet.
    public init() {}

    /// Answers one line; `unknown command` where it knows no such command, `bad arguments` where they do not fit it.
    public mutating func answer(_ line: [UInt8]) -> [UInt8] {
        let line = VectorLine(line)
        var text = TextWriter()
        guard let command = line.command else { return text.bytes }
        if !sessions.answer(command.span, line, &text), !progress.answer(command.span, line, &text) {
            text.write("unknown command")
        }
        return text.bytes
    }
}

extension VectorLine {
    /// A number that fits into 32 bits.
    func day(_ index: Int) -> Int32? { integer(index, as: Int32.self) }
}
