import MotionLabEngine
import VectorLines
import Wire

/// The engine on a line: a command in, its answer out, both as text, so that one file of examples runs through every
/// build of the engine and the answers can be compared byte for byte.
///
/// A command is words separated by tabs; `Companions/MotionLab/Vectors` shows each. Numbers are answered with as many
/// places as say that two builds agree, and with all 64 bits where the command says `bits`.
public struct EngineVector {
    private var signals = SignalVector()
    private var motion = MotionVector()
    private var codecs = CodecVector()
    private var experiments = ExperimentVector()
    private var live = LiveVector()
    private var spectra = SpectraVector()

    /// A runner that remembers nothing yet.
    public init() {}

    /// Answers one line; `unknown command` where it knows no such command, `bad arguments` where they do not fit it.
    public mutating func answer(_ line: [UInt8]) -> [UInt8] {
        let line = VectorLine(line)
        var text = TextWriter()
        guard let command = line.command else { return text.bytes }
        let isKnown =
            signals.answer(command.span, line, &text) || motion.answer(command.span, line, &text)
            || codecs.answer(command.span, line, &text) || experiments.answer(command.span, line, &text)
            || live.answer(command.span, line, &text) || spectra.answer(command.span, line, &text)
        if !isKnown { text.write("unknown command") }
        return text.bytes
    }
}

extension TextWriter {
    /// Appends a number with up to six places, or `none`.
    mutating func write(_ words: StaticString, _ value: Double?) {
        write(words)
        guard let value, write(decimal: value, places: 6) else { return write("none") }
    }

    /// Appends all 64 bits of a number.
    mutating func write(bits value: Double) {
        for digit in 0..<16 {
            write(byte: hexDigit(UInt8(truncatingIfNeeded: (value.bitPattern >> UInt64(60 - digit * 4)) & 0xF)))
        }
    }
}
