import FlashFiles
import Testing
import Wire

@Suite("DfuSe files")
struct DfuSeTests {
    @Test("Prefix, target, element and suffix are as UM0391 lays them out")
    func layout() throws {
        let image = try FlashImage([FlashImage.Piece(address: 0x0800_0000, bytes: [1, 2, 3])])
        let file = try Board.stm32f405.file(of: image)
        // 11 of the prefix, 274 of the target, 8 and 3 of the element, 16 of the suffix.
        #expect(file.count == 11 + 274 + 8 + 3 + 16)
        #expect(Array(file[..<11]) == Array("DfuSe".utf8) + [1, 40, 1, 0, 0, 1])
        #expect(Array(file[11..<18]) == Array("Target".utf8) + [0])
        #expect(Array(file[277..<285]) == [11, 0, 0, 0, 1, 0, 0, 0])
        #expect(Array(file[285..<296]) == [0, 0, 0, 8, 3, 0, 0, 0, 1, 2, 3])
        #expect(Array(file[296..<308]) == [0xFF, 0xFF, 0x11, 0xDF, 0x83, 0x04, 0x1A, 0x01, 0x55, 0x46, 0x44, 16])
    }
}
