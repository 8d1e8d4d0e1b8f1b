import DeviceParts
import Testing
import TriviaToyDevice
import TriviaToyEngine
import TriviaToyVirtualBoard

/// A virtual toy beside a hub's model.
struct ToyBench {
    var virtual: VirtualToy
    var hub = HubModel()

    init(pages: Int = 32, seed: UInt32 = 1) { virtual = VirtualToy(board: VirtualBoard(pages: pages, seed: seed)) }

    static func settings(ssid: [UInt8] = Array("House".utf8), password: [UInt8] = Array("sesame open".utf8))
        -> LinkSettings
    {
        var settings = LinkSettings()
        func put<let capacity: Int>(_ bytes: [UInt8], _ field: inout FixedBytes<capacity>) {
            for byte in bytes { field.append(byte) }
        }
        put(ssid, &settings.ssid)
        put(password, &settings.password)
        put(Array("192.0.2.7".utf8), &settings.host)
        put(Array("toy-1".utf8), &settings.device)
        put(Array("secret".utf8), &settings.token)
        return settings
    }

    /// A toy that is set up, online, and has facts 1 to `facts`.
    static func online(facts: Int, pages: Int = 32) -> ToyBench {
        var bench = ToyBench(pages: pages)
        bench.virtual.toy.provision(settings())
        bench.run(8_000)
        for id in 0..<facts { bench.hub.send(id: UInt32(id + 1), "Fact number \(id + 1) is short.") }
        bench.run(UInt32(1_000 + facts * 120))
        return bench
    }

    mutating func run(_ milliseconds: UInt32) {
        // Taken apart, because the hub is changed while the toy is.
        var hub = self.hub
        virtual.run(milliseconds: milliseconds) { hub.serve(&$0) }
        self.hub = hub
    }

    var now: UInt32 { virtual.toy.board.milliseconds }
    var spoken: [EMIC2Model.Utterance] { virtual.toy.board.voice.spoken }

    mutating func throwIt() {
        virtual.perform(.move(MotionScript.thrown()))
        run(6_000)
    }
}
