import MotionLabEngine
import TestInstruments
import Testing
import Wire

/// Random changes of texts that are right, by printed seeds: nothing may trap, and what is taken is plausible.
@Suite("Texts of phones, files and experiments, changed at random")
struct ForeignTextTests {
    static let seeds: [UInt64] = [1, 2, 3, UInt64.random(in: 4...UInt64.max)]

    private func mutated(_ text: String, _ random: inout SeededGenerator) -> [UInt8] {
        var bytes = Array(text.utf8)
        let special = Array(",:;\"\\{}[]()+-*/. \t\n\r09eE".utf8) + [0x00, 0x80, 0xC3, 0xFF]
        for _ in 0..<Int.random(in: 0...5, using: &random) {
            let place = Int.random(in: 0...bytes.count, using: &random)
            switch Int.random(in: 0..<4, using: &random) {
            case 0: bytes.insert(special.randomElement(using: &random) ?? 0, at: place)
            case 1 where place < bytes.count: bytes.remove(at: place)
            case 2 where place < bytes.count: bytes[place] = special.randomElement(using: &random) ?? 0
            default: bytes.removeSubrange(place..<min(place + 3, bytes.count))
            }
        }
        return bytes
    }

    @Test("Sensor Logger's messages", arguments: seeds)
    func sensorLogger(seed: UInt64) {
        print("fuzz seed \(seed)")
        var random = SeededGenerator(seed: seed)
        let text = """
            {"messageId":4,"sessionId":"a","deviceId":"b","payload":[{"name":"gravity","time":1698501144401773000,"values":\
            {"z":-9.8,"y":0,"x":1e-3}},{"name":"annotation","time":"1698501144401773000","values":{"text":"\\u00e9"}}]}
            """
        for _ in 0..<10_000 {
            let bytes = mutated(text, &random)
            guard let message = try? SensorLoggerMessage.decode(bytes.span) else { continue }
            for reading in message.readings {
                #expect(reading.time >= EpochTime.earliest && reading.time <= SampleBlock.latest)
                #expect(!reading.values.contains { !$0.isFinite })
            }
            #expect(message.failure == nil || message.readings.isEmpty)
        }
    }

    @Test("phyphox's answers, and what is polled with them", arguments: seeds)
    func phyphox(seed: UInt64) throws {
        print("fuzz seed \(seed)")
        var random = SeededGenerator(seed: seed)
        let configuration = """
            {"title":"A","buffers":[{"name":"accX","size":0}],"inputs":[{"source":"accelerometer","outputs":[{"x":"a"},{"y":"b"},\
            {"z":"c"},{"t":"t"}]}]}
            """
        let values = """
            {"buffer":{"t":{"size":2,"updateMode":"full","buffer":[1E0,2E0]},"a":{"buffer":[1,2]},"b":{"buffer":[1,null]},\
            "c":{"buffer":[1,2]}},"status":{"session":"3f","measuring":true}}
            """
        let input = try PhyphoxConfiguration.decode(Array(configuration.utf8)).inputs[0]
        var polling = try #require(PhyphoxPolling(input))
        for _ in 0..<10_000 {
            let read = try? PhyphoxConfiguration.decode(mutated(configuration, &random))
            for input in read?.inputs ?? [] {
                guard let other = PhyphoxPolling(input) else { continue }
                #expect(isASCIIWord(other.path))
            }
            guard let answer = try? PhyphoxValues.decode(mutated(values, &random)) else { continue }
            let batch = polling.handle(answer)
            #expect(
                !batch.samples.contains {
                    $0.values.count != 3 || !($0.values[0] + $0.values[1] + $0.values[2]).isFinite
                })
            #expect(isASCIIWord(polling.path))
        }
    }

    @Test("CSV files", arguments: seeds)
    func tables(seed: UInt64) {
        print("fuzz seed \(seed)")
        var random = SeededGenerator(seed: seed)
        let logger = "time,seconds_elapsed,z,y,x\n1698501144401773000,0.1,1,2,3\n1698501144411773000,0.11,1,2,3\n"
        let phyphox = "\"Time (s)\";\"Pressure (hPa)\"\r\n0,0E0;1,01325E3\r\n1,0E0;NaN\r\n"
        for _ in 0..<10_000 {
            for samples
                in (try? ImportedSamples.sensorLogger(
                    mutated(logger, &random), fileName: Array("Gyroscope.csv".utf8), source: .sensorLoggerIOS)) ?? []
            {
                #expect(samples.times.count == samples.values.count && samples.times.count <= 4)
            }
            for samples in (try? ImportedSamples.phyphox(mutated(phyphox, &random))) ?? [] {
                #expect(!samples.values.contains { $0.count != 1 || !$0[0].isFinite })
            }
        }
    }

    @Test("Experiments and formulas", arguments: seeds)
    func experiments(seed: UInt64) throws {
        print("fuzz seed \(seed)")
        var random = SeededGenerator(seed: seed)
        let files = Experiment.builtInFiles.map { "\($0)" }
        let channels = [Array("x".utf8), Array("y".utf8)]
        for _ in 0..<3_000 {
            let file = mutated(files.randomElement(using: &random) ?? "", &random)
            do throws(ExperimentError) {
                let experiment = try Experiment(file)
                let values = experiment.values(seconds: 1, axes: [1, nil, .infinity], parameters: [.nan])
                #expect(values.count == experiment.channels.count)
            } catch {
                let subject = error.subject ?? []
                let isText = isUTF8(subject.span)
                #expect(isText)
            }
            let text = mutated("sqrt(abs(x*y - 2.5e1)) / (sin(x) + -cos(y))", &random)
            if let formula = try? Formula(text, channels: channels) {
                let value = formula.value([0.5, -3])
                #expect(value?.isFinite ?? true)
            }
        }
    }

    @Test("The five experiments that the lab comes with are read")
    func builtIn() {
        #expect(
            Experiment.builtIn.map { String(decoding: $0.slug, as: UTF8.self) } == [
                "pendulum", "free-fall", "lift", "spin", "room-sound",
            ])
        #expect(Experiment.builtIn.map(\.analysis) == [.pendulum, .freeFall, .lift, .spin, .sound])
    }

    @Test("phyphox is asked for what came after the last sample, and all again after a restart")
    func polling() throws {
        let input = PhyphoxConfiguration.Input(
            source: Array("pressure".utf8),
            outputs: [(Array("x".utf8), Array("p 1".utf8)), (Array("t".utf8), Array("p_time".utf8))])
        var polling = try #require(PhyphoxPolling(input))
        func answer(_ session: String, _ update: PhyphoxValues.Buffer.Update, _ times: [Double], _ values: [Double])
            -> PhyphoxValues
        {
            PhyphoxValues(
                buffers: [
                    .init(name: Array("p_time".utf8), update: update, values: times),
                    .init(name: Array("p 1".utf8), update: update, values: values),
                ], session: Array(session.utf8), isMeasuring: true)
        }
        #expect(String(decoding: polling.path, as: UTF8.self) == "/get?p_time=full&p%201=full")
        // One axis is a value ahead: the rest comes with the next answer.
        let first = polling.handle(answer("1", .full, [0.5, 1, 1.5], [1_000, 1_001]))
        #expect(first.samples.map(\.seconds) == [0.5, 1])
        #expect(String(decoding: polling.path, as: UTF8.self) == "/get?p_time=1&p%201=1%7Cp_time")
        let next = polling.handle(answer("1", .partial, [1, 1.5], [1_001, 1_002]))
        #expect(next.samples.map(\.seconds) == [1.5])
        #expect(abs((next.samples.first?.values.first ?? 0) - 100.2) < 1e-9)
        let restarted = polling.handle(answer("2", .partial, [2], [1_000]))
        #expect(restarted.hasRestarted && restarted.samples.isEmpty)
        #expect(String(decoding: polling.path, as: UTF8.self) == "/get?p_time=full&p%201=full")
        let again = polling.handle(answer("2", .full, [0.1], [1_000]))
        #expect(again.samples.map(\.seconds) == [0.1])
    }
}
