import Testing

@testable import DrumsEngine

@Suite("MIDI kits as they are played")
struct LiveMIDITests {
    @Test("A note-on is a stroke; velocity 0 and note-off are none (MIDI 1.0, table II)")
    func strokes() {
        var stream = MIDIStream()
        #expect(stream.strokes(in: [0x99, 38, 100]) == [MIDIStroke(note: 38, velocity: 100, channel: 9)])
        #expect(stream.strokes(in: [0x99, 38, 0]).isEmpty)
        #expect(stream.strokes(in: [0x89, 38, 64]).isEmpty)
    }

    @Test("Running status, real-time bytes anywhere, and program changes of one byte between")
    func runningStatus() {
        var stream = MIDIStream()
        let strokes = stream.strokes(in: [0x99, 38, 0xF8, 100, 40, 90, 0xFE, 0xC9, 5, 6, 0x99, 45, 80])
        #expect(strokes.map(\.note) == [38, 40, 45])
    }

    @Test("A system message ends running status, and what is inside one is no stroke")
    func systemExclusive() {
        var stream = MIDIStream()
        #expect(stream.strokes(in: [0x99, 38, 100, 0xF0, 38, 100, 38, 100, 0xF7, 38, 100]).count == 1)
    }

    @Test("A packet of Bluetooth: header, timestamp, message (facts F)")
    func packet() {
        var packets = BluetoothMIDI()
        // 13 bits: 5 · 128 + 3 = 643 ms.
        #expect(
            packets.strokes(in: [0x85, 0x83, 0x99, 38, 100]) == [
                MIDIStroke(note: 38, velocity: 100, channel: 9, timestamp: 643)
            ])
    }

    @Test("Running status within a packet, with a timestamp of its own and without")
    func packetRunningStatus() {
        var packets = BluetoothMIDI()
        let strokes = packets.strokes(in: [0x80, 0x81, 0x99, 38, 100, 40, 90, 0x85, 45, 80])
        #expect(strokes.map(\.note) == [38, 40, 45])
        #expect(strokes.map(\.timestamp) == [1, 1, 5])
    }

    // The specification ends running status with its packet (BLE-MIDI 1.0, section 3), and senders carry it on: one of three
    // strokes came of 8080992640, 80852650, 808A2D30.
    @Test("Running status goes on into the next packets, with a timestamp and without")
    func nextPacket() {
        var packets = BluetoothMIDI()
        #expect(packets.strokes(in: [0x80, 0x80, 0x99, 0x26, 0x40]).map(\.note) == [38])
        let second = packets.strokes(in: [0x80, 0x85, 0x26, 0x50])
        #expect(second == [MIDIStroke(note: 38, velocity: 80, channel: 9, timestamp: 5)])
        #expect(packets.strokes(in: [0x80, 0x8A, 0x2D, 0x30]).map(\.note) == [45])
        #expect(packets.strokes(in: [0x80, 0x2D, 0x30]).map(\.note) == [45])
        // A broken packet ends it.
        _ = packets.strokes(in: [0x12])
        #expect(packets.strokes(in: [0x80, 0x81, 38, 100]).isEmpty)
    }

    @Test("A message whose bytes come in two packets is one stroke, at the time at which it began", arguments: 3...4)
    func splitMessage(length: Int) {
        var packets = BluetoothMIDI()
        let message: [UInt8] = [0x80, 0x83, 0x99, 38, 100]
        #expect(packets.strokes(in: Array(message.prefix(length))).isEmpty)
        let rest = packets.strokes(in: [0x81] + message.dropFirst(length))
        #expect(rest.map(\.note) == [38] && rest.map(\.velocity) == [100])
        if length == 4 { #expect(rest[0].timestamp == 3) }
    }

    @Test("Lower bits that fall within a packet carry into the higher ones")
    func overflow() {
        var packets = BluetoothMIDI()
        let strokes = packets.strokes(in: [0x80, 0xFF, 0x99, 38, 100, 0x81, 0x99, 40, 90])
        #expect(strokes.map(\.timestamp) == [127, 129])
    }

    @Test("A system-exclusive message over two packets is passed over")
    func longMessage() {
        var packets = BluetoothMIDI()
        #expect(packets.strokes(in: [0x80, 0x80, 0xF0, 1, 2, 3]).isEmpty)
        #expect(packets.strokes(in: [0x80, 38, 100, 0x81, 0xF7, 0x82, 0x99, 38, 100]).count == 1)
    }

    @Test(
        "What is no packet has no strokes",
        arguments: [[], [0x80], [0x80, 0x80], [0x40, 38, 100], [0x12, 0x80, 0x99, 38, 100]])
    func noPacket(bytes: [UInt8]) {
        var packets = BluetoothMIDI()
        #expect(packets.strokes(in: bytes).isEmpty)
    }

    @Test("A clock that goes takes the radio's jitter away")
    func clock() {
        var clock = BluetoothMIDIClock()
        // Hit each 100 ms; the radio takes 10 ms, and once 40.
        let times = [(0, 10.0), (100, 110.0), (200, 240.0), (300, 310.0)].map { timestamp, arrival in
            clock.time(ofTimestamp: UInt16(timestamp), arrival: arrival)
        }
        #expect(clock.state == .advances)
        #expect(zip(times, [10.0, 110, 210, 310]).allSatisfy { ($0 - $1).magnitude < 1 })
    }

    @Test("Timestamps that never advance are found out, and arrivals used")
    func standsStill() {
        var clock = BluetoothMIDIClock()
        let arrivals = [10.0, 110, 240, 310, 405]
        let times = arrivals.map { clock.time(ofTimestamp: 7, arrival: $0) }
        #expect(times == arrivals)
        #expect(clock.state == .standsStill)
    }

    @Test("Two strokes at once do not count as a clock that stands still")
    func chord() {
        var clock = BluetoothMIDIClock()
        for beat in 0..<6 {
            for _ in 0..<2 { _ = clock.time(ofTimestamp: UInt16(beat * 100), arrival: Double(beat * 100) + 5) }
        }
        #expect(clock.state == .advances)
    }

    @Test("The clock goes round after 8,192 ms, and a pause of several rounds is no jump")
    func round() {
        var clock = BluetoothMIDIClock()
        _ = clock.time(ofTimestamp: 8_000, arrival: 1_000)
        #expect((clock.time(ofTimestamp: 308, arrival: 1_500) - 1_500).magnitude < 1)
        // 30 s later: three rounds and 5,424 ms.
        #expect((clock.time(ofTimestamp: UInt16((308 + 30_000) % 8_192), arrival: 31_500) - 31_500).magnitude < 40)
    }

    @Test("The usual map, a pad that is hit now, and bytes of it")
    func pads() throws {
        var map = PadMap()
        #expect(map.drum(ofNote: 38) == .red && map.drum(ofNote: 48) == .orange)
        #expect(map.drum(ofNote: 45) == .blue && map.drum(ofNote: 43) == .yellow && map.drum(ofNote: 36) == nil)
        map.assign(note: 36, to: .blue)
        map.assign(note: 38, to: nil)
        map.assign(note: 200, to: .red)
        let kept = try #require(PadMap(bytes: map.bytes))
        #expect(kept == map && kept.drum(ofNote: 36) == .blue && kept.drum(ofNote: 38) == nil)
        #expect(PadMap(bytes: []) == nil)
        #expect(PadMap(bytes: map.bytes.dropLast() + [9]) == nil)
        #expect(PadMap(bytes: [2] + map.bytes.dropFirst()) == nil)
    }
}
