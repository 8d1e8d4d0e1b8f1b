import Foundation
import MotionLabVectorLines
import TestInstruments
import Testing

extension VectorFile {
    /// Those of this companion.
    static let all = files(in: .module)
}

@Suite("The lab's vector files, which WebAssembly runs too")
struct VectorTests {
    @Test("The files are there")
    func present() {
        #expect(
            VectorFile.all.map(\.name) == [
                "codecs.txt", "experiments.txt", "exports.txt", "live.txt", "motion.txt", "numbers.txt", "signals.txt",
                "spectra.txt",
            ])
        #expect(VectorFile.all.map(\.examples.count).reduce(0, +) > 250)
    }

    @Test("Every line is answered as the file says", arguments: VectorFile.all)
    func answers(file: VectorFile) {
        var engine = EngineVector()
        let wrong = file.wrongAnswers { engine.answer($0) }
        #expect(wrong == [])
    }

    static let seeds: [UInt64] = [1, 2, UInt64.random(in: 3...UInt64.max)]

    @Test("Any line at all is answered without a trap", arguments: seeds)
    func damagedLines(seed: UInt64) {
        var engine = EngineVector()
        let loops = [
            "sine", "chirp", "decay", "constant", "turn", "walk", "fall", "flip", "cut", "resample", "steady", "swing",
            "ride", "shaken", "shake", "rock",
        ]
        for line in VectorFile.damagedLines(of: VectorFile.all, loops: loops, seed: seed, count: 4_000) {
            _ = engine.answer(line)
        }
    }
}
