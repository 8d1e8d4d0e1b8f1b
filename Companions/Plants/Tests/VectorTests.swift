import Foundation
import PlantsVectorLines
import TestInstruments
import Testing

extension VectorFile {
    /// Those of this companion.
    static let all = files(in: .module)
}

@Suite("The vector files, which WebAssembly runs too")
struct VectorTests {
    // `exports.txt` calls the exports themselves: only WebAssembly answers it.
    @Test("The files are there")
    func present() {
        #expect(
            VectorFile.all.map(\.name) == [
                "curves.txt", "exports.txt", "numbers.txt", "pictures.txt", "readings.txt", "rules.txt",
                "transactions.txt",
            ])
        #expect(VectorFile.all.map(\.examples.count).reduce(0, +) > 200)
    }

    @Test("Every line is answered as the file says", arguments: VectorFile.all)
    func answers(file: VectorFile) {
        var engine = EngineVector()
        let wrong = file.wrongAnswers { engine.answer($0) }
        #expect(wrong == [])
    }
}
