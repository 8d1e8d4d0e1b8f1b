import DeviceParts
import TestInstruments
import Testing
import TriviaToyDevice
import TriviaToyEngine
import TriviaToyVirtualBoard

/// Byte for byte as the original's app and the original's server speak with its toy (wire formats, A2 and A3).
@Suite("A toy of ours that the original's app sets up")
struct SocketSetUpTests {
    /// The phone, which listens on port 8080 and speaks first.
    private struct Phone {
        /// The first words to each caller, in order; the last ones to all others. Nil hangs up at once.
        var greetings: [[UInt8]?] = [Array("ok".utf8)]
        /// The message to each caller that has answered, in order, and when after its answer; none for the others.
        var messages: [[UInt8]] = []
        var delay: UInt32 = 0
        private(set) var calls: [String] = []
        private(set) var heard: [[UInt8]] = []
        private(set) var hangUps = 0
        private var sendAt: UInt32?

        mutating func serve(_ wifi: inout ESP8266Model, at now: UInt32) {
            for event in wifi.takeEvents() {
                switch event {
                case .opened(let host, let port):
                    calls.append("\(host):\(port)")
                    let greeting = greetings[min(calls.count, greetings.count) - 1]
                    if let greeting { wifi.deliver(greeting) } else { wifi.closeFromPeer() }
                case .sent(let bytes):
                    heard.append(bytes)
                    if !messages.isEmpty { sendAt = now &+ delay }
                case .closed:
                    hangUps += 1
                    sendAt = nil
                }
            }
            if let at = sendAt, Int32(bitPattern: now &- at) >= 0 {
                sendAt = nil
                wifi.deliver(messages.removeFirst())
            }
        }
    }

    /// The original's server, which closes after each answer.
    private struct Server {
        var facts: [String] = []
        var status = "200 OK"
        private(set) var requests: [String] = []

        mutating func serve(_ wifi: inout ESP8266Model) {
            for event in wifi.takeEvents() {
                guard case .sent(let bytes) = event else { continue }
                let request = String(decoding: bytes, as: UTF8.self)
                requests.append(request)
                var body = ""
                if request.hasPrefix("GET /Trivia/") {
                    body = facts.first.map { "\"\($0)\"" } ?? ""
                    if facts.count > 1 { facts.removeFirst() }
                }
                let head = "HTTP/1.1 \(status)\r\nContent-Type: application/json; charset=utf-8\r\n"
                wifi.deliver(Array((head + "Content-Length: \(body.utf8.count)\r\n\r\n" + body).utf8))
                wifi.closeFromPeer()
            }
        }
    }

    private struct Bench {
        var virtual = VirtualToy(board: VirtualBoard(pages: 32))
        var phone = Phone()

        init() { run(200) }

        mutating func run(_ milliseconds: UInt32) {
            var phone = phone
            var now = virtual.toy.board.milliseconds
            virtual.run(milliseconds: milliseconds) {
                phone.serve(&$0, at: now)
                now &+= 1
            }
            self.phone = phone
        }

        mutating func holdMiddle() {
            virtual.perform(.hold(.middle, milliseconds: 3_200))
            run(3_300)
        }

        var commands: [String] { virtual.toy.board.wifi.commands }
        var settings: LinkSettings? { virtual.toy.journal.settings }
    }

    private static func text<let capacity: Int>(_ bytes: FixedBytes<capacity>) -> String {
        String(decoding: (0..<bytes.count).map { bytes[$0] }, as: UTF8.self)
    }

    @Test("It opens Trivio, dials whoever is there, is greeted, answers with two bytes, is told, hangs up and joins")
    func told() throws {
        var bench = Bench()
        bench.phone.messages = [Array("18042:House:sesame open".utf8)]
        // The person types for a while: the toy waits up to 120 s.
        bench.phone.delay = 100_000
        bench.holdMiddle()
        bench.run(90_000)
        #expect(bench.virtual.toy.light.shown == .settingUp && bench.settings == nil)
        #expect(bench.virtual.toy.board.wifi.accessPoint == "Trivio")
        bench.run(30_000)
        #expect(bench.phone.calls.first == "192.168.4.2:8080")
        #expect(bench.phone.heard.first == Array("ok".utf8))
        #expect(bench.commands.contains("AT+CWSAP_CUR=\"Trivio\",\"\",5,0"))
        let settings = try #require(bench.settings)
        #expect(settings.user == 18_042 && Self.text(settings.ssid) == "House")
        #expect(Self.text(settings.password) == "sesame open")
        #expect(bench.phone.hangUps >= 1 && bench.virtual.toy.board.wifi.accessPoint == nil)
        #expect(bench.virtual.toy.board.wifi.isJoined && bench.virtual.toy.setUpResult == .some(.none))
    }

    @Test(
        "A phone that is silent, says something else, more, or hangs up is dialled again until one greets it",
        arguments: [[], Array("no".utf8), Array("okay".utf8), Array("HTTP/1.1 200".utf8), nil] as [[UInt8]?])
    func redials(greeting: [UInt8]?) {
        var bench = Bench()
        bench.phone.greetings = [greeting, greeting, Array("ok".utf8)]
        bench.phone.messages = [Array("7:House:sesame open".utf8)]
        bench.holdMiddle()
        bench.run(15_000)
        #expect(bench.phone.calls.prefix(3) == ["192.168.4.2:8080", "192.168.4.2:8080", "192.168.4.2:8080"])
        #expect(bench.phone.heard.first == Array("ok".utf8) && bench.settings?.user == 7)
    }

    @Test("Nobody in its network yet, and a phone whose app is not open yet, are waited for")
    func waits() {
        var bench = Bench()
        bench.virtual.toy.board.wifi.visitor = nil
        bench.phone.messages = [Array("7:House:sesame open".utf8)]
        bench.holdMiddle()
        bench.run(5_000)
        #expect(bench.phone.calls.isEmpty)
        var faults = ESP8266Model.Faults()
        faults.isHubGone = true
        bench.virtual.perform(.wifi(faults))
        bench.virtual.toy.board.wifi.visitor = "192.168.4.3"
        bench.run(5_000)
        #expect(bench.phone.calls.isEmpty)
        bench.virtual.perform(.wifi(.init()))
        bench.run(15_000)
        #expect(bench.phone.calls.first == "192.168.4.3:8080" && bench.settings?.user == 7)
    }

    @Test("After 120 s without a message it hangs up, and dials again")
    func patience() {
        var bench = Bench()
        bench.holdMiddle()
        bench.run(110_000)
        #expect(bench.phone.calls.count == 1 && bench.phone.hangUps == 0)
        bench.run(20_000)
        #expect(bench.phone.calls.count == 2 && bench.phone.hangUps == 1)
    }

    @Test(
        "What is no message changes nothing, and the next call may bring one",
        arguments: [
            "x", "0:House:p", "7:House", "7::p", "7:House\nAT+RST:p", "7:House:" + String(repeating: "p", count: 64),
            String(repeating: "9", count: 300),
        ])
    func refused(message: String) throws {
        var bench = Bench()
        bench.phone.messages = [Array(message.utf8), Array("7:House:a:b".utf8)]
        bench.virtual.toy.board.wifi.password = Array("a:b".utf8)
        bench.holdMiddle()
        bench.run(20_000)
        let settings = try #require(bench.settings)
        #expect(bench.phone.heard.prefix(2) == [Array("ok".utf8), Array("ok".utf8)])
        // Split at the first two colons: the password may contain more (A2).
        #expect(settings.user == 7 && Self.text(settings.password) == "a:b")
    }

    @Test("A button leaves the set-up, ten minutes do so too, and the toy is with its hub again")
    func left() {
        var bench = ToyBench.online(facts: 1)
        bench.virtual.toy.board.wifi.visitor = nil
        for time: UInt32 in [3_300, 600_000] {
            bench.virtual.perform(.hold(.middle, milliseconds: 3_200))
            bench.run(5_000)
            #expect(bench.virtual.toy.board.wifi.accessPoint == "Trivio" && bench.virtual.toy.machine.isSettingUp)
            if time < 600_000 { bench.virtual.perform(.hold(.middle, milliseconds: 3_200)) }
            bench.run(time + 10_000)
            #expect(bench.virtual.toy.board.wifi.accessPoint == nil && !bench.virtual.toy.machine.isSettingUp)
            #expect(bench.virtual.toy.machine.link == .online)
        }
    }

    @Test("A toy that nobody has set up closes its network again, and is as it was")
    func leftUnset() {
        var bench = Bench()
        bench.virtual.toy.board.wifi.visitor = nil
        bench.holdMiddle()
        bench.run(2_000)
        bench.holdMiddle()
        bench.run(5_000)
        #expect(bench.virtual.toy.board.wifi.accessPoint == nil && bench.virtual.toy.machine.link == .notSetUp)
        #expect(bench.commands.last == "AT+CWMODE_CUR=1")
    }

    @Test("Random bytes of whoever joined neither trap nor set it up", arguments: [1, 2, 3] as [UInt64])
    func noise(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var bench = Bench()
        bench.phone.messages = (0..<40).map { _ in
            (0..<Int.random(in: 1...200, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) }
        }
        bench.holdMiddle()
        bench.run(120_000)
        #expect(bench.settings == nil && bench.phone.heard.count > 20)
    }

    @Test("Set up so, it fetches facts by the original's requests, speaks them, and reports how many it played")
    func original() {
        var bench = Bench()
        bench.phone.messages = [Array("7:House:sesame open".utf8)]
        bench.holdMiddle()
        bench.run(2_000)
        var server = Server()
        server.facts = ["Fact number one.", "Fact number two.", "Fact number three."]
        func run(_ milliseconds: UInt32) {
            var live = server
            bench.virtual.run(milliseconds: milliseconds) { live.serve(&$0) }
            server = live
        }
        run(15_000)
        let get = "GET /Trivia/7 HTTP/1.1\r\nHost: triviotoy.azurewebsites.net\r\nConnection: close\r\n\r\n"
        // A fourth time, to be told that there is no other one.
        #expect(server.requests == [get, get, get, get])
        #expect(bench.virtual.toy.facts.count == 3 && bench.virtual.toy.light.shown == .connected)
        bench.virtual.perform(.accessPoint(isGone: true))
        for _ in 0..<2 {
            bench.virtual.perform(.move(MotionScript.thrown()))
            run(6_000)
        }
        let words = bench.virtual.toy.board.voice.spoken.map(\.words)
        #expect(words == ["Fact number one.", "Fact number two."])
        #expect(bench.virtual.toy.journal.unreported == 2)
        bench.virtual.perform(.accessPoint(isGone: false))
        run(80_000)
        let report = "GET /User/History/7/2 HTTP/1.1\r\nHost: triviotoy.azurewebsites.net\r\nConnection: close\r\n\r\n"
        #expect(server.requests.contains(report) && bench.virtual.toy.journal.unreported == 0)
    }

    @Test("A server that refuses is asked less and less often, and what was played is kept for it")
    func refusedByServer() {
        var bench = Bench()
        bench.phone.messages = [Array("7:House:sesame open".utf8)]
        bench.holdMiddle()
        bench.run(2_000)
        var server = Server()
        server.status = "429 Too Many Requests"
        var live = server
        bench.virtual.run(milliseconds: 300_000) { live.serve(&$0) }
        server = live
        #expect((3...12).contains(server.requests.count), "1 s, 2 s, 4 s, and so on to 64 s")
        #expect(bench.virtual.toy.facts.count == 0)
    }
}
