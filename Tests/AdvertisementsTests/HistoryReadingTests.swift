import Advertisements
import TestInstruments
import Testing

@Suite("The history of a plant sensor")
struct HistoryReadingTests {
    /// A sensor with a memory, as emericg/WatchFlower, docs/flowercare-ble-api.md describes it.
    struct Sensor {
        var seconds: UInt32 = 2_158_345
        var entries: [[UInt8]]
        var commands: [[UInt8]] = []

        static func entry(_ seconds: UInt32, moisture: UInt8 = 21) -> [UInt8] {
            (0..<4).map { UInt8(truncatingIfNeeded: seconds >> (8 * UInt32($0))) }
                + [0xEB, 0, 0, 0x5A, 0, 0, 0, moisture, 0xB3, 0, 0, 0]
        }

        mutating func write(_ bytes: [UInt8]) { commands.append(bytes) }

        func read(_ characteristic: MiFlora.Characteristic) -> [UInt8] {
            if characteristic == .time { return (0..<4).map { UInt8(truncatingIfNeeded: seconds >> (8 * UInt32($0))) } }
            let last = commands.last ?? []
            if last == [0xA0, 0, 0] {
                return [UInt8(entries.count & 0xFF), UInt8(entries.count >> 8)] + Array(repeating: 0, count: 14)
            }
            guard last.count == 3, last[0] == 0xA1 else { return [] }
            return entries[Int(last[1]) | Int(last[2]) << 8]
        }
    }

    static let now: Int64 = 1_795_244_400_000

    private func run(_ reading: inout HistoryReading, _ sensor: inout Sensor) {
        for _ in 0..<200_000 {
            switch reading.step {
            case .write(let characteristic, let bytes):
                #expect(characteristic == .historyCommand)
                sensor.write(bytes)
                reading.written()
            case .read(let characteristic): reading.read(sensor.read(characteristic), at: Self.now)
            case .finished: return
            }
        }
        Issue.record("it does not end")
    }

    @Test("All entries are read with the time at which they were measured, and the history stays")
    func all() {
        var sensor = Sensor(entries: [Sensor.entry(2_156_400), Sensor.entry(2_152_800, moisture: 22)])
        var reading = HistoryReading()
        run(&reading, &sensor)
        #expect(sensor.commands == [[0xA0, 0, 0], [0xA1, 0, 0], [0xA1, 1, 0]])
        #expect(reading.length == 2)
        #expect(reading.begin == Self.now - 2_158_345_000)
        #expect(reading.entries.map(\.age) == [1_945, 5_545])
        #expect(reading.entries.map(\.at) == [Self.now - 1_945_000, Self.now - 5_545_000])
        #expect(reading.entries.last?.measurements.map(\.thousandths) == [23_500, 90_000, 22_000, 179_000])
        #expect(reading.putAside == 0)
        #expect(reading.failure == nil)
    }

    @Test("Entries that are impossible are put aside: of a later time, of no sensor, of an empty place, cut off")
    func impossible() {
        var sensor = Sensor(entries: [
            Sensor.entry(2_158_346), Sensor.entry(2_156_400, moisture: 101), Array(repeating: 0xFF, count: 16),
            [1, 2, 3],
            Sensor.entry(2_158_345),
        ])
        var reading = HistoryReading()
        run(&reading, &sensor)
        #expect(reading.entries.map(\.age) == [0])
        #expect(reading.putAside == 4)
    }

    @Test("The history is cleared when all of it was read, if that is wanted")
    func cleared() {
        var sensor = Sensor(entries: [Sensor.entry(2_156_400)])
        var reading = HistoryReading(clears: true)
        run(&reading, &sensor)
        #expect(sensor.commands.last == [0xA2, 0, 0])
        for var part in [HistoryReading(limit: 0, clears: true), HistoryReading(newerThan: Self.now, clears: true)] {
            var sensor = Sensor(entries: [Sensor.entry(2_156_400)])
            run(&part, &sensor)
            #expect(!sensor.commands.contains([0xA2, 0, 0]))
        }
        var empty = Sensor(entries: [])
        var nothing = HistoryReading(clears: true)
        run(&nothing, &empty)
        #expect(empty.commands == [[0xA0, 0, 0]])
    }

    @Test("The reading ends at an entry that is known, and at the limit")
    func ends() {
        let hours = (0..<300).map { Sensor.entry(2_156_400 - 3_600 * UInt32($0)) }
        var sensor = Sensor(entries: hours)
        // The entry of two hours ago, by a clock that was a minute fast then.
        var reading = HistoryReading(newerThan: Self.now - (1_945 + 2 * 3_600 + 60) * 1_000)
        run(&reading, &sensor)
        #expect(reading.entries.count == 2)
        var limited = HistoryReading(limit: 258)
        sensor.commands = []
        run(&limited, &sensor)
        #expect(limited.entries.count == 258)
        #expect(sensor.commands.last == [0xA1, 1, 1])
    }

    @Test("An answer that is no length or no time ends the reading", arguments: [0, 1])
    func failures(count: Int) {
        var reading = HistoryReading()
        reading.written()
        reading.read(Array(repeating: 0, count: count), at: Self.now)
        #expect(reading.step == .finished)
        #expect(reading.failure == .length(count))
        var late = HistoryReading()
        late.written()
        late.read([1, 0], at: Self.now)
        late.read([1, 2, 3], at: Self.now)
        #expect(late.failure == .length(3))
    }

    @Test("What does not belong to the step is of no effect, and no bytes trap", arguments: [1, 2, 3] as [UInt64])
    func random(seed: UInt64) {
        print("history seed \(seed)")
        var random = SeededGenerator(seed: seed)
        for _ in 0..<200 {
            var reading = HistoryReading(
                newerThan: [.min, .max, 0].randomElement(using: &random) ?? 0,
                limit: .random(in: -1...9, using: &random),
                clears: .random(using: &random))
            for _ in 0..<60 {
                let before = reading.step
                if Bool.random(using: &random) {
                    reading.written()
                    if case .read = before { #expect(reading.step == before) }
                } else {
                    let bytes = (0..<Int.random(in: 0...20, using: &random)).map { _ in
                        UInt8.random(in: 0...255, using: &random)
                    }
                    reading.read(bytes, at: [.min, .max, Self.now].randomElement(using: &random) ?? 0)
                    if case .write = before { #expect(reading.step == before) }
                }
            }
        }
    }

    @Test("Characteristics are written out as the sensor names them")
    func uuids() {
        #expect(
            String(decoding: MiFlora.Characteristic.historyCommand.uuid, as: UTF8.self)
                == "00001a10-0000-1000-8000-00805f9b34fb")
        #expect(MiFlora.realTimeCommand == [0xA0, 0x1F])
    }
}
