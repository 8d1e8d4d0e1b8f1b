import Foundation
import PlantsEngine
import TestInstruments
import Testing

extension VectorFile {
    /// Those of this companion.
    static let all = files(in: Bundle.module.resourceURL?.appendingPathComponent("Vectors"))
}

@Suite("The vector files, which WebAssembly runs too")
struct VectorTests {
    @Test("The files are there")
    func present() {
        #expect(
            VectorFile.all.map(\.name) == [
                "curves.txt", "numbers.txt", "readings.txt", "rules.txt", "transactions.txt",
            ])
        #expect(VectorFile.all.map(\.examples.count).reduce(0, +) > 200)
    }

    @Test("Every line is answered as the file says", arguments: VectorFile.all)
    func answers(file: VectorFile) {
        var engine = EngineVector()
        for example in file.examples {
            let answer = String(decoding: engine.answer(example.input), as: UTF8.self)
            #expect(answer == String(decoding: example.expected, as: UTF8.self), "\(file.name):\(example.line)")
        }
    }
}
