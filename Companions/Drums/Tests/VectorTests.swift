import DrumsVectorLines
import Foundation
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
        let names = Set(VectorFile.all.map(\.name))
        #expect(
            names.isSuperset(of: [
                "codec-v1.txt", "exports.txt", "flow-v1.txt", "grammar.txt", "imports-v1.txt", "links-v1.txt",
                "sessions-v1.txt",
            ]))
        #expect(VectorFile.all.map(\.examples.count).reduce(0, +) > 900)
    }

    @Test("Every line is answered as the file says", arguments: VectorFile.all)
    func answers(file: VectorFile) {
        var engine = EngineVector()
        let wrong = file.wrongAnswers { engine.answer($0) }
        #expect(wrong == [])
    }
}
