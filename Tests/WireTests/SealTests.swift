import TestInstruments
import Testing
import VectorLines
import Wire

@Suite("What stands around bytes that are stored")
struct SealTests {
    private static let seal = Seal(mark: "TXY", version: 3)

    private enum Failure: SealedCodecError, Equatable {
        case seal(SealError)
        case big

        var number: Int32 {
            switch self {
            case .seal(let failure): failure.number
            case .big: 6
            }
        }
    }

    /// A count, then so many bytes of at most 9.
    private static func read(_ bytes: [UInt8]) throws(Failure) -> [UInt8] {
        try seal.opened(bytes) { (reader) throws(Failure) in
            let count = Int(reader.uint8())
            guard reader.hasRoom(for: count, ofBytes: 1) else { throw .seal(.cutOff) }
            let content = reader.take(count)
            guard !content.contains(where: { $0 > 9 }) else { throw .big }
            return content
        }
    }

    private static func written(_ content: [UInt8]) -> [UInt8] {
        var bytes = seal.begun(reserving: content.count + seal.count)
        bytes.append(UInt8(content.count))
        bytes += content
        Seal.close(&bytes)
        return bytes
    }

    @Test("The mark and the version come first, the CRC-32 last, its lowest byte first")
    func bytes() throws {
        // The CRC-32 is zlib's of the seven bytes before it.
        #expect(Self.written([1, 2]) == Array("TXY".utf8) + [3, 2, 1, 2] + [0x17, 0x1E, 0x0C, 0x79])
        #expect(Self.seal.count == Self.written([]).count - 1)
        #expect(try Self.read(Self.written([1, 2])) == [1, 2])
    }

    @Test(
        "Each thing that can be wrong is told apart",
        arguments: [
            ([], .unrecognized), (Array("TXY".utf8), .unrecognized), (Array("TXZ".utf8) + [3], .unrecognized),
            (Array("TXY".utf8) + [0, 0, 0, 0, 0], .unrecognized), (Array("TXY".utf8) + [4], .newerVersion(4)),
            (Array("TXY".utf8) + [3, 0, 0, 0], .cutOff),
            (sealed(Array("TXY".utf8) + [3, 2, 1]), .cutOff),
            (sealed(Array("TXY".utf8) + [3, 1, 1, 1]), .trailingBytes),
            (Array("TXY".utf8) + [3, 1, 1, 0, 0, 0, 0], .damaged),
            // What is read of it would be refused as well, and that was not written.
            (Array("TXY".utf8) + [3, 1, 99, 0, 0, 0, 0], .damaged),
        ] as [([UInt8], SealError)])
    func faults(bytes: [UInt8], failure: SealError) {
        #expect(throws: Failure.seal(failure)) { try Self.read(bytes) }
    }

    @Test("What the codec itself refuses, it says, where the bytes are what was written")
    func content() { #expect(throws: Failure.big) { try Self.read(Self.written([99])) } }

    @Test("Numbers are those that the page knows")
    func numbers() {
        let faults: [SealError] = [.unrecognized, .newerVersion(9), .cutOff, .trailingBytes, .damaged]
        #expect(faults.map(\.number) == [1, 2, 3, 4, 5])
    }

    @Test("Any bytes are refused or are what was written", arguments: [1, 2, UInt64.random(in: 3...UInt64.max)])
    func fuzz(seed: UInt64) throws {
        let fuzz = ForeignBytesFuzz(mark: Array("TXY".utf8) + [3]) { random in
            let content = (0..<Int.random(in: 1...20, using: &random)).map { _ in
                UInt8.random(in: 0...9, using: &random)
            }
            return Array(Self.written(content).dropLast(4))
        } isAccepted: { bytes in
            (try? Self.read(bytes)).map { Self.written($0) == bytes } ?? false
        }
        #expect(try fuzz.damage(seed: seed, rounds: 200) == [])
        #expect(try fuzz.cuts(seed: seed, rounds: 20) == [])
        #expect(try fuzz.forgeries(seed: seed, rounds: 200, special: [0, 9]) > 10)
    }

    @Test("A vector's line counts what cuts come to")
    func cuts() {
        let bytes = Self.written([1])
        var cut = TextWriter()
        let isKnown = cut.write(cuts: Array("cut-each-byte".utf8).span, of: bytes, read: Self.read)
        #expect(isKnown)
        #expect(String(decoding: cut.bytes, as: UTF8.self) == "error 1: 4, error 3: 6")
        var none = TextWriter()
        _ = none.write(cuts: Array("cut-each-byte".utf8).span, of: nil, read: Self.read)
        #expect(String(decoding: none.bytes, as: UTF8.self) == "bad arguments")
        let other = none.write(cuts: Array("blob".utf8).span, of: bytes, read: Self.read)
        #expect(!other)
    }
}
