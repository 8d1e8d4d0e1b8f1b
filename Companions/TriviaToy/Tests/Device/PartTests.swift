import DeviceHAL
import DeviceParts
import TestInstruments
import Testing
import TriviaToyEngine

@testable import TriviaToyDevice

@Suite("Battery, buttons, light, texts")
struct PartTests {
    @Test(
        "The battery's curve",
        arguments: [(3_200, 0), (3_710, 15), (3_800, 40), (4_200, 100), (4_300, 100)] as [(UInt16, UInt8)])
    func curve(millivolts: UInt16, percent: UInt8) { #expect(Battery.percent(millivolts: millivolts) == percent) }

    @Test("More voltage is never less charge")
    func rising() {
        for millivolts: UInt16 in 3_000...4_400 {
            #expect(Battery.percent(millivolts: millivolts) <= Battery.percent(millivolts: millivolts + 1))
        }
        #expect(Battery.originalPercent(millivolts: 4_000) == 50)
        #expect(Battery.originalPercent(millivolts: 0) == 0)
    }

    @Test("A battery that is low stays low until it has recovered")
    func low() {
        var battery = Battery()
        battery.take(millivolts: 3_705)
        #expect(battery.isLow)
        for _ in 0..<200 { battery.take(millivolts: 3_725) }
        #expect(battery.isLow)
        for _ in 0..<200 { battery.take(millivolts: 3_760) }
        #expect(!battery.isLow)
    }

    @Test("A button that bounces is pressed once; one that is held is long and then very long")
    func button() {
        var button = Button()
        var presses: [Button.Press] = []
        func feed(_ isDown: Bool, _ range: Range<UInt32>) {
            for time in range { if let press = button.take(isDown: isDown, at: time) { presses.append(press) } }
        }
        _ = button.take(isDown: false, at: 0)
        for time: UInt32 in 0..<8 {
            if let press = button.take(isDown: time % 2 == 0, at: time) { presses.append(press) }
        }
        feed(true, 8..<100)
        feed(false, 100..<105)
        feed(true, 105..<200)
        feed(false, 200..<300)
        #expect(presses == [.short])
        feed(true, 300..<4_000)
        feed(false, 4_000..<4_100)
        #expect(presses == [.short, .long, .veryLong])
    }

    @Test("Of several signals the first one is shown", arguments: LightSignal.allCases)
    func light(signal: LightSignal) {
        struct Lamp: RGBLight { var sets = 0; mutating func set(red: UInt8, green: UInt8, blue: UInt8) { sets += 1 } }
        var light = StatusLight()
        var lamp = Lamp()
        for other in LightSignal.allCases where other.rawValue >= signal.rawValue { light.set(other, true) }
        light.update(&lamp)
        light.update(&lamp)
        #expect(light.shown == signal)
        #expect(lamp.sets == 1)
    }

    @Test("Any text is cut into pieces of at most the limit that make up the whole", arguments: UInt64(1)...60)
    func cutting(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let signs = ["a", "bc", " ", ". ", "! ", "\u{E9}", "\u{1F600}", "\u{2026}", "word ", "?"]
        let text = Array(
            (0..<Int.random(in: 0...400, using: &random)).map { _ in signs.randomElement(using: &random) ?? "" }
                .joined().utf8)
        let limit = Int.random(in: 5...60, using: &random)
        var start = 0
        var pieces = 0
        while start < text.count {
            var cutter = SentenceCutter(limit: limit)
            var end = text.count
            for index in start..<text.count {
                if let count = cutter.take(text[index]) {
                    end = start + max(count, 1)
                    break
                }
            }
            var letters = SpeechLetters()
            let said = text[start..<end].compactMap { letters.take($0) }
            #expect(said.count <= limit, "seed \(seed)")
            #expect(text.isEmpty || end == text.count || text[end] & 0xC0 != 0x80, "seed \(seed): cut inside a letter")
            start = end
            pieces += 1
            guard pieces <= 500 else { break }
        }
        #expect(pieces <= 500, "seed \(seed)")
    }

    @Test("No bytes on the Wi-Fi module's line or in an MQTT packet stop the toy", arguments: UInt64(1)...60)
    func parsers(seed: UInt64) {
        struct Line: UART {
            var bytes: [UInt8]
            mutating func send(_ byte: UInt8) {}
            mutating func receive() -> UInt8? { bytes.isEmpty ? nil : bytes.removeLast() }
        }
        var random = SeededGenerator(seed: seed)
        let words = [
            "OK\r\n", "ERROR\r\n", "+IPD,", "12:", "+CWLAP:(3,\"", "\",-", "ready\r\n", "busy p...\r\n", "CLOSED\r\n",
            "> ", "STATUS:3\r\n", "+CWJAP:2\r\n",
        ]
        var bytes: [UInt8] = []
        for _ in 0..<300 {
            if Bool.random(using: &random) {
                bytes += Array((words.randomElement(using: &random) ?? "").utf8)
            } else {
                bytes.append(UInt8.random(in: 0...255, using: &random))
            }
        }
        var line = Line(bytes: bytes.reversed())
        var radio = ESP8266()
        var link = MQTTLink()
        var now: UInt32 = 0
        for turn in 0..<2_000 {
            if radio.isIdle {
                let commands: [ESP8266.Command] = [
                    .restart, .station, .scan, .status, .close, .accessPoint, .visitors,
                ]
                radio.begin(commands[turn % 7], at: now)
            }
            if case .received(let byte)? = radio.poll(&line, at: now) { _ = link.receive(byte) }
            now += UInt32.random(in: 0...50, using: &random)
        }
        for _ in 0..<20_000 {
            if case .message(let topic)? = link.receive(UInt8.random(in: 0...255, using: &random)) {
                _ = topic
                link.payload { _ = try? FactMessage(decoding: $0) }
                link.payload { _ = try? RulesMessage(decoding: $0) }
            }
        }
        #expect(line.bytes.isEmpty, "seed \(seed)")
    }

    @Test("A module that stays busy is asked again, and given up in the end")
    func busy() {
        struct Line: UART {
            var answer: [UInt8] = []
            var commands = 0
            mutating func send(_ byte: UInt8) {
                guard byte == 0x0A else { return }
                commands += 1
                answer = Array("busy p...\r\n".utf8)
            }
            mutating func receive() -> UInt8? { answer.isEmpty ? nil : answer.removeFirst() }
        }
        var (radio, line) = (ESP8266(), Line())
        radio.begin(.scan, at: 0)
        var events: [ESP8266.Event] = []
        for now: UInt32 in 0..<9_000 { if let event = radio.poll(&line, at: now) { events.append(event) } }
        #expect(events == [.failed(.scan, .busy)])
        #expect(line.commands == 10)
    }
}
