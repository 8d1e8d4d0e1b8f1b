import Testing
import Wire

@Suite("Numbers with their lowest byte first")
struct LittleEndianTests {
    @Test("What was appended is read again")
    func roundTrip() {
        var bytes: [UInt8] = [7]
        bytes.append(littleEndian: UInt16(0x0201))
        bytes.append(littleEndian: UInt32(0x0605_0403))
        bytes.append(littleEndian: UInt64(0x0E0D_0C0B_0A09_0807))
        #expect(bytes == [7, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14])
        for number in [Int64.min, -1, 0, .max] { bytes.append(littleEndian: number) }
        bytes.append(littleEndian: Int16.min)
        bytes.append(littleEndian: Int32(-2))
        var reader = LittleEndianReader(bytes[...])
        #expect(reader.uint8() == 7)
        #expect(reader.uint16() == 0x0201)
        #expect(reader.uint32() == 0x0605_0403)
        #expect(reader.uint64() == 0x0E0D_0C0B_0A09_0807)
        for number in [Int64.min, -1, 0, .max] { #expect(reader.int64() == number) }
        #expect(reader.int16() == .min)
        #expect(reader.int32() == -2)
        #expect(reader.remaining == 0)
        #expect(!reader.isCutOff)
    }

    @Test("Beyond the end there are noughts, and the reader remembers it")
    func end() {
        var reader = LittleEndianReader([1, 2, 3])
        #expect(reader.uint32() == 0x03_0201)
        #expect(reader.isCutOff)
        #expect(reader.uint8() == 0)
        #expect(reader.isCutOff)
    }

    @Test("Records that say to be more than there is room for leave nothing to read")
    func room() {
        var reader = LittleEndianReader([1, 2, 3, 4])
        let isEnough = reader.hasRoom(for: 2, ofBytes: 2)
        #expect(isEnough)
        #expect(reader.remaining == 4)
        #expect(!reader.isCutOff)
        let isTooMuch = !reader.hasRoom(for: 5, ofBytes: 1)
        #expect(isTooMuch)
        #expect(reader.remaining == 0)
        #expect(reader.isCutOff)
    }

    @Test("Bytes are taken whole or not at all", arguments: [4, 1_000, -1])
    func take(count: Int) {
        var reader = LittleEndianReader([9, 1, 2, 3][1...])
        #expect(reader.remaining == 3)
        #expect(reader.take(count) == [])
        #expect(reader.isCutOff)
        #expect(reader.remaining == 0)
        reader = LittleEndianReader([9, 1, 2, 3][1...])
        #expect(reader.take(2) == [1, 2])
        #expect(reader.take(0) == [])
        #expect(reader.uint8() == 3)
        #expect(!reader.isCutOff)
    }
}
