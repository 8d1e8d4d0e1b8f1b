import BoardImages
import Crypto
import Foundation
import GRDB
import HubInstruments
import NIOCore
import Storage
import Synchronization
import Testing

@testable import Firmware
@testable import HubKit
@testable import HubServer

@Suite("Firmware over the air, in the hub")
struct FirmwareTests {
    let test: TestHub
    let app: HubApplication
    let client: HTTPTestClient
    let device: DeviceRecord
    let token: String
    /// What was published and not retained.
    let parts: PublishedParts

    final class PublishedParts: Sendable {
        private let messages = Mutex<[String: [UInt8]]>([:])

        func append(_ topic: String, _ payload: [UInt8]) { messages.withLock { $0[topic] = payload } }

        /// The last message on a topic, which is then forgotten.
        func take(_ topic: String) -> [UInt8]? { messages.withLock { $0.removeValue(forKey: topic) } }
    }

    init() async throws {
        let test = try TestHub()
        let adult = try await test.seed()
        let device = try await test.device()
        let app = try await HubApplication(services: test.services, companions: [])
        let client = try await HTTPTestClient(test, app: app)
        let token = try await client.token(adult)
        let parts = PublishedParts()
        test.hub.messages.observe { topic, payload in parts.append(topic, Array(payload.readableBytesView)) }
        self.test = test
        self.app = app
        self.client = client
        self.device = device
        self.token = token
        self.parts = parts
    }

    private struct NoName: Error {}

    static func file(_ version: ImageVersion, kind: String = "plant-sensor") throws -> [UInt8] {
        let payload = [UInt8](repeating: 7, count: 600)
        // The CRC-32 of gzip, bit by bit (RFC 1952, section 8).
        var rest: UInt32 = 0xFFFF_FFFF
        for byte in payload {
            rest ^= UInt32(byte)
            for _ in 0..<8 { rest = rest & 1 == 1 ? rest >> 1 ^ 0xEDB8_8320 : rest >> 1 }
        }
        let crc = ~rest
        let (boardName, kindName) = (Array("mps2-an386".utf8), Array(kind.utf8))
        guard let board = ImageName(boardName.span) else { throw NoName() }
        guard let image = ImageName(kindName.span) else { throw NoName() }
        let header = ImageHeader(board: board, kind: image, version: version, length: payload.count, checksum: crc)
        var file: [UInt8] = []
        header.encode(into: &file)
        return file + payload
    }

    private func add(_ version: ImageVersion, kind: String = "plant-sensor") async throws -> String {
        let answer = try await client.send(
            .post, "/api/firmware/images", bytes: try Self.file(version, kind: kind), token: token)
        #expect(answer.status == 201, "\(answer.text)")
        return try #require(answer["id"] as? String)
    }

    /// Hears a message as the listener does, and does what follows in a transaction.
    private func hear(_ name: String, _ payload: ByteBuffer) throws {
        let readings = ReadingCollector()
        try app.firmware.receive(name, payload: payload, of: device, into: readings)
        for work in readings.work { try test.hub.database.pool.write { db in try work(db) } }
    }

    private func say(_ end: String = "", version: String = "1.1.0", hasKey: Bool = true) throws {
        let text =
            #"{"board":"mps2-an386","image":"plant-sensor","version":"\#(version)","hasKey":\#(hasKey)\#(end)}"#
        try hear("state", ByteBuffer(string: text))
    }

    private func update(_ image: String, mayBeOlder: Bool = false) async throws -> HTTPTestClient.Answer {
        try await client.send(
            .put, "/api/firmware/devices/\(device.id)/update", #"{"image":"\#(image)","mayBeOlder":\#(mayBeOlder)}"#,
            token: token)
    }

    private func board() async throws -> [String: Any] {
        let answer = try await client.send(.get, "/api/firmware", token: token)
        return try #require(answer["devices", "0"] as? [String: Any])
    }

    /// The number of the offer that the hub would send now.
    private func offer(_ attempt: UInt8 = 1, _ version: ImageVersion = ImageVersion(1, 2, 0)) throws -> UInt32 {
        // Named before: Swift 6.3.1 makes no program of a span of what lives for one call that throws.
        let file = try Self.file(version)
        var header = try ImageHeader(checking: file.span)
        header.attempt = attempt
        return header.identity
    }

    private func want(_ offer: UInt32, _ offset: UInt32) throws -> [UInt8]? {
        var payload = ByteBuffer()
        payload.writeInteger(offer, endianness: .little)
        payload.writeInteger(offset, endianness: .little)
        try hear("want", payload)
        return parts.take("tandem/\(device.id)/firmware/part")
    }

    @Test("A device that has said what it runs is offered the newest image of its kind that is newer")
    func newest() async throws {
        try say()
        #expect(try await board()["newest"] == nil)
        for version in [ImageVersion(1, 2, 0), ImageVersion(1, 10, 0), ImageVersion(1, 0, 0)] {
            _ = try await add(version)
        }
        _ = try await add(ImageVersion(9, 0, 0), kind: "lamp")
        let newest = try #require(try await board()["newest"] as? [String: Any])
        #expect(newest["version"] as? String == "1.10.0")
    }

    @Test("What a device asks for part by part is the image, signed by the key that pages are told")
    func delivered() async throws {
        try say()
        #expect(try await update(try await add(ImageVersion(1, 2, 0))).status == 204)
        let offer = try offer()
        var file: [UInt8] = []
        while file.count < 64 + 600 + 64 {
            let part = try #require(try want(offer, UInt32(file.count)))
            #expect(Array(part[0..<4]) == [UInt8(file.count & 0xFF), UInt8(file.count >> 8), 0, 0])
            file += part[8...]
        }
        let answer = try await client.send(.get, "/api/firmware", token: token)
        let key = try #require(Data(base64Encoded: answer["key"] as? String ?? ""))
        let publicKey = try Curve25519.Signing.PublicKey(rawRepresentation: key)
        #expect(publicKey.isValidSignature(file[664...], for: file[..<664]))
        #expect(try ImageHeader(decoding: file.span).attempt == 1)
        #expect(answer["devices", "0", "update", "delivered"] as? Int == 512)
        // Past its end, from within a part, and of another offer there is none.
        let past = try want(offer, 728)
        let within = try want(offer, 1)
        let another = try want(offer &+ 1, 0)
        #expect(past == nil && within == nil && another == nil)
    }

    @Test("Once a device says that it runs the image the offer is over")
    func updated() async throws {
        try say()
        _ = try await update(try await add(ImageVersion(1, 2, 0)))
        // What it says of an offer before has no say in this one.
        try say(#","offered":"1.2.0","offer":1,"start":7"#)
        let before = try await board()
        #expect(before["update"] != nil && before["outcome"] == nil)
        try say(#","offered":"1.2.0","offer":\#(try offer())"#, version: "1.2.0")
        let board = try await board()
        #expect(board["update"] == nil && board["version"] as? String == "1.2.0")
        #expect((board["outcome"] as? [String: Any])?["result"] as? String == "updated")
        let part1 = try want(try offer(), 0)
        #expect(part1 == nil)
    }

    @Test(
        "Why a device went back, or took nothing, is told by a word",
        arguments: [
            (#""start":7"#, "notSignedIn"), (#""start":1"#, "stoodStill"), (#""start":0"#, "power"),
            (#""start":2"#, "fault"), (#""refused":13"#, "signature"), (#""refused":14"#, "noKey"),
            (#""refused":12"#, "older"), (#""refused":10"#, "other"), (#""refused":200"#, "damaged"),
        ])
    func reasons(end: String, word: String) async throws {
        try say()
        let image = try await add(ImageVersion(1, 2, 0))
        _ = try await update(image)
        try say(#","offered":"1.2.0","offer":\#(try offer()),\#(end)"#)
        let outcome = try await board()["outcome"] as? [String: Any]
        #expect(outcome?["reason"] as? String == word && outcome?["version"] as? String == "1.2.0")
        // Asked for again it is another offer, which the device takes.
        #expect(try await update(image).status == 204)
        let part2 = try want(try offer(2), 0)
        #expect(part2 != nil)
    }

    @Test("A hub that starts anew goes on with what it has offered")
    func restarted() async throws {
        try say()
        _ = try await update(try await add(ImageVersion(1, 2, 0)))
        let later = Firmware(hub: test.hub, devices: test.services.devices)
        try await later.prepare()
        #expect(later.progress(of: device.id)?.total == 728)
    }

    @Test("An offer that is taken back, and one whose image is removed, is sent no further")
    func withdrawn() async throws {
        try say()
        let image = try await add(ImageVersion(1, 2, 0))
        _ = try await update(image)
        #expect(
            try await client.send(.delete, "/api/firmware/devices/\(device.id)/update", token: token).status == 204)
        let part3 = try want(try offer(), 0)
        #expect(part3 == nil)
        _ = try await update(image)
        let part4 = try want(try offer(2), 0)
        #expect(part4 != nil)
        #expect(try await client.send(.delete, "/api/firmware/images/\(image)", token: token).status == 204)
        let part5 = try want(try offer(2), 0)
        #expect(part5 == nil)
        #expect(try await board()["update"] == nil)
    }

    @Test("What a device cannot take is not offered: no firmware, no key, another kind, an older version unless asked")
    func refused() async throws {
        let image = try await add(ImageVersion(1, 0, 0))
        #expect(try await update(image).status == 409)
        try say(hasKey: false)
        #expect(try await update(image).detail.contains("Write it by cable: tandem flash"))
        try say()
        #expect(try await update(image).detail == "This image is older than what the device runs.")
        #expect(try await update(image, mayBeOlder: true).status == 204)
        #expect(try await update(try await add(ImageVersion(9, 0, 0), kind: "lamp")).status == 422)
        #expect(try await update("nothing").status == 404)
    }

    @Test("A file that is no image, is damaged, cut off, signed already, or too large is refused in words")
    func files() async throws {
        let good = try Self.file(ImageVersion(1, 2, 0))
        var damaged = good
        damaged[100] ^= 1
        let cases: [(file: [UInt8], status: Int, words: String)] = [
            (Array("PK".utf8) + [UInt8](repeating: 0, count: 100), 422, "TDMI"), (damaged, 422, "damaged"),
            (Array(good.dropLast()), 422, "cut off"), (good + [UInt8](repeating: 0, count: 64), 422, "signature"),
            ([UInt8](repeating: 0, count: 200_000), 413, "at most"), ([], 422, "cut off"),
        ]
        for (file, status, words) in cases {
            let answer = try await client.send(.post, "/api/firmware/images", bytes: file, token: token)
            #expect(answer.status == status && answer.detail.contains(words), "\(answer.text)")
        }
        // The same file twice is there once; the same version with other bytes is none.
        let first = try await add(ImageVersion(1, 2, 0))
        #expect(try await add(ImageVersion(1, 2, 0)) == first)
    }

    @Test("Messages on other topics of firmware are put aside in words")
    func otherTopics() {
        #expect(throws: BadMessage.self) { try hear("boot", ByteBuffer()) }
        #expect(throws: BadMessage.self) { try hear("want", ByteBuffer(string: "1")) }
        #expect(throws: BadMessage.self) { try hear("want", ByteBuffer(string: "123456789")) }
    }
}
