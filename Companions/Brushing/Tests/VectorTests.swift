import BrushingVectorLines
import Foundation
import TestInstruments
import Testing
import Wire

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
                "awards.txt", "codec-v1.txt", "exports.txt", "garden.txt", "progress.txt", "routines.txt",
                "sessions-v1.txt",
            ])
        #expect(VectorFile.all.map(\.examples.count).reduce(0, +) > 600)
    }

    @Test(
        "What version 1 answers stands in files that are never changed: another version gets files of its own",
        arguments: [("codec-v1.txt", 0x23A6_8C37), ("sessions-v1.txt", 0x6F7E_AFA5)] as [(String, UInt32)])
    func unchanged(name: String, checksum: UInt32) throws {
        let folder = try #require(Bundle.module.resourceURL).appendingPathComponent("Vectors")
        let bytes = try Data(contentsOf: folder.appendingPathComponent(name))
        #expect(crc32(Array(bytes)[...]) == checksum, "\(name) was changed")
    }

    @Test("Every line is answered as the file says", arguments: VectorFile.all)
    func answers(file: VectorFile) {
        var engine = EngineVector()
        let wrong = file.wrongAnswers { engine.answer($0) }
        #expect(wrong == [])
    }
}
