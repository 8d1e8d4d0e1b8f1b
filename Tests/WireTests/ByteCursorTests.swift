import Testing
import Wire

@Suite("Bytes from front to back")
struct ByteCursorTests {
    @Test("Numbers come highest byte first, pieces up to their separator")
    func reading() throws {
        var cursor = ByteCursor([0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0x61, 0x3B, 0x3B, 0x62])
        #expect(try cursor.byte() == 0x01)
        #expect(try cursor.bigEndian16() == 0x0203)
        #expect(try cursor.bigEndian32() == 0x0405_0607)
        func next() -> [UInt8]? { cursor.piece(before: 0x3B).map { Array($0) } }
        #expect(next() == [0x61])
        #expect(next() == [])
        #expect(cursor.remaining == 1)
        #expect(next() == [0x62])
        #expect(next() == nil)
    }

    @Test("Nothing is read past the end, and a failed step moves nothing")
    func end() throws {
        var cursor = ByteCursor([0x01, 0x02, 0x03])
        #expect(throws: ByteCursor.UnexpectedEnd(offset: 0, needed: 4)) { try cursor.bigEndian32() }
        #expect(throws: ByteCursor.UnexpectedEnd(offset: 0, needed: 5)) { try cursor.take(5) }
        #expect(throws: ByteCursor.UnexpectedEnd(offset: 0, needed: 1)) { try cursor.take(-1) }
        #expect(Array(try cursor.take(3)) == [0x01, 0x02, 0x03])
        #expect(throws: ByteCursor.UnexpectedEnd(offset: 3, needed: 1)) { try cursor.byte() }
    }
}
