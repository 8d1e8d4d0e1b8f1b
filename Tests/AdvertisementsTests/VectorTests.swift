import Foundation
import TestInstruments
import Testing

extension VectorFile {
    static let all = files(in: .module)
}

@Suite("The vector files of advertisements")
struct VectorTests {
    @Test("The files are there")
    func present() {
        #expect(VectorFile.all.map(\.name) == ["atc.txt", "bthome.txt", "hhcc.txt", "mibeacon.txt", "miflora.txt"])
        #expect(VectorFile.all.map(\.examples.count).reduce(0, +) > 140)
    }

    @Test("Every line is answered as the file says", arguments: VectorFile.all)
    func answers(file: VectorFile) {
        #expect(file.wrongAnswers(AdvertisementVector.answer) == [])
    }

    @Test("Lines of the files with some places changed trap nothing", arguments: [1, 2, 3] as [UInt64])
    func damaged(seed: UInt64) {
        for line in VectorFile.damagedLines(of: VectorFile.all, loops: [], seed: seed, count: 500) {
            _ = AdvertisementVector.answer(line)
        }
    }
}
