import Foundation
import HubInstruments
import MQTT
import NIOCore
import NIOEmbedded
import NIOPosix
import NIOWebSocket
import Storage
import Testing

@testable import Devices
@testable import HubKit
@testable import HubServer

@Suite("What pages and devices say to each other at once")
struct DeviceChannelTests {
    private static let channel = PageChannel(command: "command", answer: "hit", mostBytes: 20)

    @Test("A device's message holds its bytes, each as one character of JSON")
    func message() throws {
        let bytes = ByteBuffer(bytes: Array(UInt8.min...UInt8.max))
        var text = DeviceNews.message(device: "k7fq2m9x", bytes, now: 1_795_220_000_123)
        let frame = try #require(
            try JSONSerialization.jsonObject(with: Data(text.readBytes(length: text.readableBytes) ?? []))
                as? [String: Any])
        #expect(frame["type"] as? String == "device.message")
        #expect(frame["device"] as? String == "k7fq2m9x")
        #expect(frame["at"] as? Int64 == 1_795_220_000_123)
        let data = try #require(frame["data"] as? String)
        #expect(data.unicodeScalars.map(\.value) == Array(0...255))
        let usual = DeviceNews.message(device: "a", ByteBuffer(string: "2 450 -1.00\0"), now: 7)
        #expect(
            String(buffer: usual)
                == #"{"type":"device.message","device":"a","at":7,"data":"2 450 -1.00\u0000"}"#)
    }

    @Test(
        "What a page sends is bytes of one character each, and nothing beyond U+00FF",
        arguments: [("2", [0x32]), ("\u{0}\u{FF}", [0, 0xFF]), ("", []), ("2\u{100}", nil), ("😀", nil)]
            as [(String, [UInt8]?)])
    func frames(data: String, bytes: [UInt8]?) {
        let frame = PageFrame(type: .send, device: "a", data: data)
        #expect(frame.bytes.map { Array(buffer: $0) } == bytes)
    }

    @Test(
        "A rate lets a second's worth through at once, and then as it refills; a clock that stands still gives nothing")
    func rate() {
        var limit = RateLimit(aSecond: 10, now: 0)
        func taken(of tries: Int, at now: UInt64) -> Int {
            var taken = 0
            for _ in 0..<tries where limit.takes(now: now) { taken += 1 }
            return taken
        }
        #expect(taken(of: 15, at: 0) == 10)
        let tenth: UInt64 = 100_000_001
        for turn: UInt64 in 1...5 { #expect(taken(of: 2, at: turn * tenth) == 1) }
        #expect(taken(of: 1, at: 0) == 0)
        #expect(taken(of: 15, at: 3_600_000_000_000) == 10)
    }

    @Test("A page plays with devices of its own household, of a kind that has a channel, and with no other")
    func policy() async throws {
        let test = try TestHub()
        let member = try await test.member()
        let device = try await test.device()
        let policy = Policy()
        #expect(policy.allowsChannel(member, to: device, Self.channel))
        #expect(!policy.allowsChannel(member, to: device, nil))
        var foreign = device
        foreign.household = "another"
        #expect(!policy.allowsChannel(member, to: foreign, Self.channel))
        var removed = device
        removed.removedAt = 1
        #expect(!policy.allowsChannel(member, to: removed, Self.channel))
    }

    @Test("Only a kind that declares a channel has one")
    func kinds() async throws {
        let test = try TestHub()
        _ = try await HubApplication(services: test.services, companions: [Drummers.self, Ferns.self])
        #expect(test.services.channels.channel(ofKind: "drum") == Self.channel)
        #expect(test.services.channels.channel(ofKind: "sticks") == nil)
        #expect(test.services.channels.channel(ofKind: "plant-sensor") == nil)
    }

    @Test("A page that does not read has nothing waiting for it, and hears the last of its device once it reads again")
    func unread() async throws {
        let test = try TestHub()
        let member = try await test.member()
        var device = try await test.device()
        device.kind = "drum"
        let services = test.services
        services.channels.install(Self.channel, forKind: "drum")
        let page = PageDevices(hub: services.hub, devices: services.devices, channels: services.channels)
        // From here on there is one thread, which is that of the embedded loop.
        let channel = EmbeddedChannel(handler: page)
        defer { _ = try? channel.finish() }
        func told() throws -> [String] {
            channel.embeddedEventLoop.run()
            var all: [String] = []
            while let frame = try channel.readOutbound(as: WebSocketFrame.self) {
                all.append(String(buffer: frame.data))
            }
            return all
        }
        page.begin(member)
        page.attach(device, member, try channel.pipeline.syncOperations.context(handler: page))
        #expect(try told().count == 1)
        channel.isWritable = false
        for turn in 0..<100 {
            try channel.writeInbound(WebSocketFrame(fin: true, opcode: .text, data: ByteBuffer(string: "nonsense")))
            services.channels.set(device.id, isListening: turn % 2 == 0)
        }
        services.channels.set(device.id, isListening: true)
        #expect(try told().isEmpty)
        channel.isWritable = true
        channel.pipeline.fireChannelWritabilityChanged()
        let late = try told()
        #expect(late.count == 1)
        #expect(late.first?.contains("device.link") == true)
        #expect(late.first?.contains("true") == true)
    }

    @Test("What a device says while no page plays with it is stored for nobody")
    func nobody() throws {
        let channels = try TestHub().services.channels
        channels.tell(ByteBuffer(string: "END"), of: "a", now: 0)
        channels.set("a", isListening: true)
        #expect(channels.isListening("a"))
        channels.removed("a")
        #expect(!channels.isListening("a"))
    }

    @Test("A device listens once it has subscribed, and not because somebody asked whether it may")
    func subscribed() async throws {
        let test = try TestHub()
        let member = try await test.member()
        let device = try await test.services.devices.add(kind: "drum", name: "Drum", household: member.household).device
        let app = try await HubApplication(services: test.services, companions: [Drummers.self])
        let topic = "tandem/\(device.id)/\(Self.channel.command)"
        let loop = MultiThreadedEventLoopGroup.singleton.next()
        let listening = try await loop.submit {
            let host = try HubBrokerDelegate(context: app.deviceContext, loop: loop)
            let sender = host.handler(for: .device(id: device.id), clientID: "drum")
            let channels = app.services.channels
            #expect(host.allows(.device(id: device.id), .subscribe, topic: topic))
            let asked = channels.isListening(device.id)
            sender.subscribed(to: try TopicFilter("tandem/\(device.id)/other"))
            let elsewhere = channels.isListening(device.id)
            sender.subscribed(to: try TopicFilter(topic))
            return [asked, elsewhere, channels.isListening(device.id)]
        }
        .get()
        #expect(listening == [false, false, true])
    }

    private struct Drummers: Companion {
        static let slug = "drummers"
        static let title = "Drummers"
        static let deviceKinds = [
            DeviceKind(name: "drum", title: "Drum", channel: channel), DeviceKind(name: "sticks", title: "Sticks"),
        ]
        static let migrations: [Migration] = []

        init(hub: HubContext) async throws {}
        func addRoutes(to routes: Routes) {}
        func decoder(for device: DeviceRecord) -> any DeviceMessageDecoder { Mute() }

        private final class Mute: DeviceMessageDecoder {
            func decode(tail: ByteBuffer, payload: ByteBuffer, into readings: ReadingCollector) throws(BadMessage) {}
        }
    }
}
