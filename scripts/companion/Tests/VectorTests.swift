import Foundation
import @NAME@VectorLines
import TestInstruments
import Testing

@Suite("The vector files, which WebAssembly runs too")
struct VectorTests {
    static let files = VectorFile.files(in: .module)

    @Test("The files are there")
    func present() {
        #expect(Set(Self.files.map(\.name)).isSuperset(of: ["exports.txt", "levels.txt"]))
        #expect(Self.files.map(\.examples.count).reduce(0, +) > 10)
    }

    @Test("Every line is answered as the file says", arguments: files)
    func answers(file: VectorFile) {
        var engine = EngineVector()
        #expect(file.wrongAnswers { engine.answer($0) } == [])
    }
}
