import Foundation
import NIOCore
import TriviaToyEngine

/// Makes sound of what a virtual toy says, with espeak-ng, and keeps what it made of late.
actor SpeechRenderer {
    /// The limits of what it may cost.
    struct Limits: Sendable {
        /// The most bytes of the sound of one text.
        var soundBytes = 16 << 20
        /// The most bytes of all sounds that are kept.
        var cachedBytes = 8 << 20
        /// The longest time for one text. espeak-ng is faster than speech by far, a busy board may not be.
        var patience = Duration.seconds(30)
        /// The longest sound, milliseconds.
        var longest = 240_000
    }

    /// The words that are to be said, and the way in which they are.
    struct Utterance: Sendable, Hashable {
        var words: String
        var voice: UInt8
        /// The volume in decibels.
        var volume: Int8
        var wordsPerMinute: UInt16
        var language: FactLanguage
    }

    /// The program that speaks.
    nonisolated let program: SystemProgram

    private let limits: Limits
    private var cached: [Utterance: ByteBuffer] = [:]
    /// The keys of `cached`, the oldest first.
    private var order: [Utterance] = []
    private var bytes = 0
    /// The sounds that are being made.
    private var rendering: [Utterance: Task<ByteBuffer, any Error>] = [:]

    /// Prepares a renderer.
    ///
    /// - Parameter program: called as espeak-ng is.
    init(program: String = "espeak-ng", limits: Limits = Limits()) {
        self.limits = limits
        self.program = SystemProgram(name: program, limitBytes: limits.soundBytes, patience: limits.patience)
    }

    /// The number of bytes that are kept.
    var cachedBytes: Int { bytes }

    /// The sound as a WAVE file.
    ///
    /// - Throws: `SystemProgram.Failure`.
    func wave(_ utterance: Utterance) async throws -> ByteBuffer {
        if let known = cached[utterance] { return known }
        if let task = rendering[utterance] { return try await task.value }
        let (program, limits) = (program, limits)
        let task = Task {
            let output = try await program.run(Self.arguments(utterance), input: Array(utterance.words.utf8))
            // Its own file does not say how long it is.
            guard let sound = try? Sound(wave: output.span, longest: limits.longest) else {
                throw SystemProgram.Failure.failed
            }
            var bytes: [UInt8] = []
            sound.encodeWave(into: &bytes)
            return ByteBuffer(bytes: bytes)
        }
        rendering[utterance] = task
        defer { rendering[utterance] = nil }
        let wave = try await task.value
        keep(wave, of: utterance)
        return wave
    }

    private func keep(_ wave: ByteBuffer, of utterance: Utterance) {
        guard wave.readableBytes <= limits.cachedBytes else { return }
        cached[utterance] = wave
        order.append(utterance)
        bytes += wave.readableBytes
        while bytes > limits.cachedBytes, !order.isEmpty {
            bytes -= cached.removeValue(forKey: order.removeFirst())?.readableBytes ?? 0
        }
    }

    /// The variants of espeak-ng for the nine voices of the EMIC 2, in its order.
    private static let voices = ["m3", "m1", "f2", "f4", "m7", "m6", "f3", "m2", "whisper"]

    static func arguments(_ utterance: Utterance) -> [String] {
        let language =
            switch utterance.language {
            case .english: "en-us"
            case .castilianSpanish: "es"
            case .latinAmericanSpanish: "es-419"
            }
        let variant = voices[min(Int(utterance.voice), voices.count - 1)]
        // Its loudness of 100 is 0 dB here.
        let amplitude = Int(min(200, max(2, 100 * pow(10, Double(utterance.volume) / 20))))
        return [
            "--stdin", "--stdout", "-b", "1", "-v", "\(language)+\(variant)", "-a", "\(amplitude)",
            "-s", "\(min(450, max(80, Int(utterance.wordsPerMinute))))",
        ]
    }
}
