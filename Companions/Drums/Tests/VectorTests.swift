import DrumsEngine
import Foundation
import TestInstruments
import Testing

extension VectorFile {
    /// Those of this companion. What a released version answered, every later one answers: files are added, never
    /// changed.
    static let all = files(in: Bundle.module.resourceURL?.appendingPathComponent("Vectors"))
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
        for example in file.examples {
            let answer = String(decoding: engine.answer(example.input), as: UTF8.self)
            #expect(answer == String(decoding: example.expected, as: UTF8.self), "\(file.name):\(example.line)")
        }
    }
}
