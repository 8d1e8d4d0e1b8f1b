import Foundation
import TestInstruments
import Testing
import TriviaToyVectorLines

@Suite("The vector files, which WebAssembly runs too")
struct VectorTests {
    static let files = VectorFile.files(in: .module)

    @Test("The files are there")
    func present() {
        #expect(Self.files.map(\.name) == ["exports.txt", "facts.txt", "set-up.txt"])
        #expect(Self.files.map(\.examples.count).reduce(0, +) > 40)
    }

    @Test("Every line is answered as the file says", arguments: files)
    func answers(file: VectorFile) {
        var engine = EngineVector()
        #expect(file.wrongAnswers { engine.answer($0) } == [])
    }
}
