import MotionLabEngine
import TestInstruments
import Testing
import Wire

/// Each bad input that phones are known for has a test of its own name.
@Suite("What phones send that is not as it should be")
struct BadInputTests {
    private func message(_ payload: String, id: Int = 0) throws -> SensorLoggerMessage {
        try SensorLoggerMessage.decode(
            Array("{\"messageId\":\(id),\"sessionId\":\"s\",\"deviceId\":\"d\",\"payload\":[\(payload)]}".utf8).span)
    }

    private func reading(_ time: String, _ values: String = "\"x\":1,\"y\":2,\"z\":3") -> String {
        "{\"name\":\"gyroscope\",\"time\":\(time),\"values\":{\(values)}}"
    }

    @Test("Timestamps in nanoseconds that a double would round stay apart")
    func nanosecondsBeyondDoubles() throws {
        // As doubles both are 1698501144401773056.
        #expect(Double(1_698_501_144_401_773_000) == Double(1_698_501_144_401_773_099))
        let times = [1_698_501_144_401_772_999, 1_698_501_144_401_773_000, 1_698_501_144_401_774_000]
        let message = try message(times.map { reading("\($0)") }.joined(separator: ","))
        #expect(message.readings.map(\.time) == [1_698_501_144_401_772, 1_698_501_144_401_773, 1_698_501_144_401_774])
        let asText = try self.message(reading("\"1698501144401773000\""))
        #expect(asText.readings.map(\.time) == [1_698_501_144_401_773])
    }

    @Test(
        "Timestamps that overflow 64 bits, or are of another unit, are refused one by one",
        arguments: [
            "9223372036854775808", "99999999999999999999999", "1e400", "-1698501144401773000", "1698501144401", "0",
            "null", "\"now\"", "true",
        ])
    func impossibleTimes(time: String) throws {
        let good = reading("1698501144401773000")
        let message = try message("\(reading(time)),\(good)")
        #expect(message.readings.count == 1 && message.skipped.times == 1)
        #expect(message.failure == nil)
        #expect(try self.message(reading(time)).failure == .times)
    }

    @Test("Samples out of order are put in order, and counted")
    func outOfOrder() throws {
        var collector = SampleCollector(kind: .barometer)
        for time in [50, 10, 40, 20, 30] as [Int64] { collector.add([Double(time)], at: time * 1_000) }
        let blocks = collector.takeBlocks(gap: 1_000_000)
        #expect(blocks.map(\.times) == [[10_000, 20_000, 30_000, 40_000, 50_000]])
        #expect(blocks[0].axes == [[100_000, 200_000, 300_000, 400_000, 500_000]])
        #expect(collector.report.reordered == 4 && collector.report.taken == 5)
    }

    @Test(
        "Whatever order samples come in, and however often, the blocks are the same",
        arguments: [1, 2, 3, 4] as [UInt64])
    func anyOrder(seed: UInt64) throws {
        print("fuzz seed \(seed)")
        var random = SeededGenerator(seed: seed)
        var samples: [(time: Int64, value: Double)] = []
        for place in 0..<3_000 as Range<Int64> {
            samples.append((place * 10_000 + (place > 2_000 ? 5_000_000 : 0), Double(place % 97)))
        }
        func blocks(_ order: [(time: Int64, value: Double)]) -> [SampleBlock] {
            var collector = SampleCollector(kind: .light)
            for sample in order { collector.add([sample.value], at: sample.time) }
            return collector.takeBlocks(gap: 1_000_000)
        }
        let expected = blocks(samples)
        #expect(expected.map(\.count) == [2_001, 999])
        let shuffled = (samples + samples.prefix(500)).shuffled(using: &random)
        #expect(blocks(shuffled) == expected)
    }

    @Test("Of two samples at the same time the first stands")
    func repeatedTimes() throws {
        var collector = SampleCollector(kind: .barometer)
        for value in [1.0, 2, 3] { collector.add([value], at: 5) }
        let blocks = collector.takeBlocks(gap: 1)
        #expect(blocks.map(\.axes) == [[[10_000]]])
        #expect(collector.report.repeated == 2)
    }

    @Test("Messages that come twice are known, late ones are taken, and those that never came are counted")
    func repeatedMessages() {
        var ledger = SensorLoggerLedger()
        var news: [Bool] = []
        for id in [7, 8, 8, 10, 9, 9, 7] as [Int64] { news.append(ledger.isNew(id)) }
        #expect(news == [true, true, false, true, true, false, false])
        #expect(ledger.missing == 0 && ledger.repeated == 3 && ledger.reordered == 1)
        _ = ledger.isNew(12)
        #expect(ledger.missing == 1)
        // Far ahead, and the window starts anew.
        news = []
        for id in [1_000_000, 12, 999_999] as [Int64] { news.append(ledger.isNew(id)) }
        #expect(news == [true, false, true])
    }

    @Test("The ledger knows each of the last thousand messages, in any order", arguments: [1, 2, 3] as [UInt64])
    func ledger(seed: UInt64) {
        print("fuzz seed \(seed)")
        var random = SeededGenerator(seed: seed)
        var ledger = SensorLoggerLedger()
        var seen: Set<Int64> = []
        var base: Int64 = 0
        for _ in 0..<20_000 {
            base += Int64.random(in: 0...2, using: &random)
            let id = max(base - Int64.random(in: 0...500, using: &random), 0)
            let (isNew, expected) = (ledger.isNew(id), seen.insert(id).inserted)
            #expect(isNew == expected, "\(id)")
        }
    }

    @Test(
        "A sample with an axis missing is no sample, and the others are taken",
        arguments: ["\"x\":1,\"y\":2", "\"x\":1,\"y\":2,\"z\":null", "\"x\":1,\"y\":2,\"z\":\"a\"", ""])
    func missingAxes(values: String) throws {
        let time = "1698501144401773000"
        let message = try message("\(reading(time, values)),\(reading(time))")
        #expect(message.readings.count == 1 && message.skipped.axes == 1)
        #expect(try self.message(reading(time, values)).failure == .axes)
        #expect(SensorSource.chromiumMotion.normalized([1, nil, 3], as: .accelerometer) == nil)
        var collector = SampleCollector(kind: .gyroscope)
        #expect(
            !collector.add([1, nil, 3], at: 5) && !collector.add([1, .nan, 3], at: 6) && !collector.add([1, 2], at: 7))
        #expect(collector.report.refused == 3 && collector.isEmpty)
    }

    @Test("A sensor that stops is silent since its last sample, and one that says the same for ever is stuck")
    func stopped() {
        var watch = StreamWatch()
        for place in 0..<100 as Range<Int64> { watch.add([Double(place)], at: place * 10_000) }
        #expect(watch.state(at: 1_500_000) == .live)
        #expect(watch.state(at: 2_000_001) == .silent(since: 990_000))
        for place in 200..<1_000 as Range<Int64> { watch.add([0, 0], at: place * 10_000) }
        #expect(watch.state(at: 10_000_000) == .stuck(since: 2_000_000))
        // A slow sensor is given its time.
        var slow = StreamWatch()
        for place in 0..<10 as Range<Int64> { slow.add([Double(place)], at: place * 1_000_000) }
        #expect(slow.state(at: 15_000_000) == .live)
        #expect(slow.state(at: 20_000_000) == .silent(since: 9_000_000))
    }

    @Test("A phone that lies about its rate is found out, in the recording too")
    func lyingRate() throws {
        let header = RecordingTests.header([.barometer])
        var writer = try RecordingWriter(header: header)
        // It says 200 Hz and gives 60, as browsers on iOS do.
        for place in 0..<300 as Range<Int64> { writer.add([101], to: 0, at: header.startedAt + place * 16_667) }
        let summary = try RecordingSummary(writer.takeBytes(), isComplete: true)
        #expect(summary.streams[0].verdict == .slower)
        #expect(abs(try #require(summary.streams[0].rate).hertz - 60) < 0.1)
    }

    @Test("What stands in a message beside its members, and none of them, is passed over or refused")
    func shapes() throws {
        for text in ["", "x", "[]", "{}", "{\"payload\":{}}", "{\"payload\":[}", "{\"payload\":[]} x"] {
            #expect(throws: SensorLoggerError.self, "\(text)") {
                _ = try SensorLoggerMessage.decode(Array(text.utf8).span)
            }
        }
        let odd = try message(
            "5,[],{\"name\":\"gyroscope\"},{\"name\":\"kettle\",\"values\":{}},\(reading("1698501144401773000"))")
        #expect(odd.skipped.shapes == 3 && odd.skipped.unknownSensors == 1 && odd.readings.count == 1)
        var limits = SensorLoggerMessage.Limits()
        limits.readings = 1
        let two = Array("{\"payload\":[\(reading("1")),\(reading("2"))]}".utf8)
        #expect(throws: SensorLoggerError.tooManyReadings(1)) {
            _ = try SensorLoggerMessage.decode(two.span, limits: limits)
        }
        limits.bytes = 10
        #expect(throws: SensorLoggerError.tooLarge) { _ = try SensorLoggerMessage.decode(two.span, limits: limits) }
    }
}
