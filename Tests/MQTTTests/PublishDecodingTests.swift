import MQTT
import NIOCore
import TestInstruments
import Testing

/// `Packet.decodePublish` is a shortcut, which must not differ from `Packet.decode`. The seed is printed; put it in place of the
/// random one to see a failure again.
@Suite("The shortcut for PUBLISH", .timeLimit(.minutes(1)))
struct PublishDecodingTests {
    static let seed = UInt64.random(in: 0...UInt64.max)

    /// What a decoder made of some bytes, and how many it left.
    private enum Outcome: Equatable {
        case publish(Publish, left: Int)
        case violation(ProtocolViolation)
        /// Something else, or not all of it: for the general decoder to say.
        case other
    }

    @Test(
        "It gives what the general decoder gives, or the same error, and reads nothing of what is no whole PUBLISH",
        arguments: [ProtocolVersion.v31, .v311, .v5])
    func agrees(_ version: ProtocolVersion) {
        print("PUBLISH decoding seed: \(Self.seed)")
        var random = SeededGenerator(seed: Self.seed &+ UInt64(version.rawValue))
        var counts = (publishes: 0, violations: 0, others: 0)
        for _ in 0..<30_000 {
            let bytes = Self.input(version, &random)
            let limit = Int.random(in: 0..<8, using: &random) == 0 ? Int.random(in: 0...40, using: &random) : 1 << 20
            let general = Self.general(bytes, limit, version)
            let short = Self.short(bytes, limit, version)
            switch general {
            case .publish: counts.publishes += 1
            case .violation: counts.violations += 1
            case .other: counts.others += 1
            }
            // Not `#expect` for each of some ten thousand: it is slow.
            if short != general {
                Issue.record("\(version), limit \(limit), \(hex(bytes)): \(short), not \(general); seed \(Self.seed)")
                return
            }
        }
        #expect(min(counts.publishes, counts.violations, counts.others) > 500, "\(counts)")
    }

    private static func general(_ input: [UInt8], _ limit: Int, _ version: ProtocolVersion) -> Outcome {
        var bytes = ByteBuffer(bytes: input)
        do throws(ProtocolViolation) {
            guard
                case .packet(.publish(let publish)) = try Packet.decode(
                    from: &bytes, maximumLength: limit, version: version)
            else { return .other }
            return .publish(publish, left: bytes.readableBytes)
        } catch {
            // A packet that is too long, and all that is no PUBLISH, are the general decoder's alone.
            let isPublish = (input.first ?? 0) >> 4 == 3
            return isPublish && error.code != .packetTooLarge ? .violation(error) : .other
        }
    }

    private static func short(_ input: [UInt8], _ limit: Int, _ version: ProtocolVersion) -> Outcome {
        var bytes = ByteBuffer(bytes: input)
        do throws(ProtocolViolation) {
            guard let publish = try Packet.decodePublish(from: &bytes, maximumLength: limit, version: version) else {
                if bytes.readableBytes != input.count { Issue.record("Something was read of \(hex(input))") }
                return .other
            }
            return .publish(publish, left: bytes.readableBytes)
        } catch {
            return .violation(error)
        }
    }

    /// A PUBLISH, mostly; some with bytes changed, cut off or with more behind them; some nothing but bytes.
    private static func input(_ version: ProtocolVersion, _ random: inout SeededGenerator) -> [UInt8] {
        var written = ByteBuffer()
        Packet.publish(publish(&random)).write(into: &written, version: version)
        var bytes = Array(buffer: written)
        switch Int.random(in: 0..<6, using: &random) {
        case 0:
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                bytes[Int.random(in: 0..<min(bytes.count, 24), using: &random)] = .random(in: 0...255, using: &random)
            }
        case 1: bytes.removeLast(Int.random(in: 1...bytes.count, using: &random))
        case 2: bytes += (0..<Int.random(in: 1...8, using: &random)).map { _ in .random(in: 0...255, using: &random) }
        case 3:
            bytes = (0..<Int.random(in: 0...24, using: &random)).map { _ in .random(in: 0...255, using: &random) }
            if let first = bytes.first, Bool.random(using: &random) { bytes[0] = 0x30 | first & 0x0F }
        default: break
        }
        return bytes
    }

    private static func publish(_ random: inout SeededGenerator) -> Publish {
        func text(_ range: ClosedRange<Int>) -> ByteBuffer {
            ByteBuffer(
                bytes: (0..<Int.random(in: range, using: &random)).map { _ in
                    UInt8.random(in: 0x20...0x7E, using: &random)
                })
        }
        let quality = QualityOfService.allCases.randomElement(using: &random) ?? .atMostOnce
        var forwarded = ByteBuffer()
        // Content type and a user property, sections 3.3.2.3.9 and 3.3.2.3.7.
        if Bool.random(using: &random) { forwarded.writeBytes([0x03, 0, 1, 0x63, 0x26, 0, 1, 0x6B, 0, 1, 0x76]) }
        let isDuplicate = quality != .atMostOnce && Bool.random(using: &random)
        return Publish(
            topic: text(0...20), payload: text(0...200),
            packetID: quality == .atMostOnce ? nil : .random(in: 1...UInt16.max, using: &random),
            qualityOfService: quality, retain: Bool.random(using: &random), isDuplicate: isDuplicate,
            properties: PublishProperties(
                forwarded: forwarded,
                expirySeconds: Bool.random(using: &random) ? .random(in: 0...UInt32.max, using: &random) : nil,
                topicAlias: Bool.random(using: &random) ? .random(in: 1...32, using: &random) : nil,
                subscriptionIdentifiers: Bool.random(using: &random) ? [] : [.random(in: 1...300, using: &random)]))
    }
}
