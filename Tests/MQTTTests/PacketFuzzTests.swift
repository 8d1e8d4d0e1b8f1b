import MQTT
import NIOCore
import TestInstruments
import Testing

/// A second or two each. The seed is printed; put it in place of the random one to see a failure again.
@Suite("Fuzzing the packet decoder", .timeLimit(.minutes(1)))
struct PacketFuzzTests {
    static let seed = UInt64.random(in: 0...UInt64.max)

    @Test(
        "Packets with some bytes changed are read, refused or incomplete, never a trap, and never read beyond the end")
    func mutated() throws {
        print("packet fuzz seed: \(Self.seed)")
        var random = SeededGenerator(seed: Self.seed)
        let cases = try PacketCase.all().map(\.bytes)
        let clock = ContinuousClock()
        let end = clock.now + .seconds(2)
        var count = 0
        while clock.now < end {
            for _ in 0..<200 {
                var bytes = cases.randomElement(using: &random) ?? []
                for _ in 0..<Int.random(in: 1...4, using: &random) {
                    switch Int.random(in: 0..<4, using: &random) {
                    case 0 where !bytes.isEmpty:
                        bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(
                            in: 0...255, using: &random)
                    case 1 where !bytes.isEmpty: bytes.remove(at: Int.random(in: 0..<bytes.count, using: &random))
                    case 2:
                        bytes.insert(
                            UInt8.random(in: 0...255, using: &random),
                            at: Int.random(in: 0...bytes.count, using: &random))
                    default: bytes += cases.randomElement(using: &random) ?? []
                    }
                }
                check(bytes)
                count += 1
            }
        }
        print("packet fuzz: \(count) inputs")
    }

    @Test("Random bytes are read, refused or incomplete, never a trap")
    func random() {
        var random = SeededGenerator(seed: Self.seed &+ 1)
        let clock = ContinuousClock()
        let end = clock.now + .seconds(1)
        while clock.now < end {
            for _ in 0..<200 {
                check(
                    (0..<Int.random(in: 0...64, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) })
            }
        }
    }

    /// What is read must survive being written and read again.
    private func check(_ input: [UInt8]) {
        var bytes = ByteBuffer(bytes: input)
        do throws(ProtocolViolation) {
            while true {
                let before = bytes.readableBytes
                guard case .packet(let packet) = try Packet.decode(from: &bytes, maximumLength: 1 << 20) else { break }
                if bytes.readableBytes >= before { Issue.record("Nothing was read, seed \(Self.seed)") }
                if case .publish(let publish) = packet { _ = try TopicName(bytes: publish.topic) }
                var written = ByteBuffer()
                packet.write(into: &written)
                let again = try Packet.decode(from: &written, maximumLength: 1 << 20)
                // Not `#expect` for each of some hundred thousand: it is slow.
                if again != .packet(packet) { Issue.record("seed \(Self.seed), input \(hex(input))") }
            }
        } catch {
            if error.clause.isEmpty { Issue.record("A violation without a clause, seed \(Self.seed)") }
        }
    }
}
