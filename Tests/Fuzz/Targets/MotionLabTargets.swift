import MotionLabEngine
import Wire

extension FuzzTarget {
    static var motionLab: [FuzzTarget] {
        [
            FuzzTarget("lab-recording", seeds: recordingSeeds) { bytes throws(BrokenProperty) in
                try checkRecordedSamples(bytes)
            },
            FuzzTarget(
                "sensor-logger",
                dictionary: [
                    "payload", "messageId", "gyroscope", "barometer", "annotation", "1698501144401773000", "1e18",
                ],
                seeds: [
                    """
                    {"messageId":4,"sessionId":"a","payload":[{"name":"gravity","time":1698501144401773000,"values":\
                    {"z":-9.8,"y":0,"x":1e-3}},{"name":"annotation","time":"1698501144401773000","values":{"text":"a"}}]}
                    """
                ].map { Array($0.utf8) }
            ) { bytes throws(BrokenProperty) in try checkLoggerMessage(bytes) },
            FuzzTarget(
                "phyphox",
                dictionary: ["buffer", "updateMode", "full", "partial", "status", "session", "measuring", "null"],
                seeds: [
                    """
                    {"buffer":{"t":{"size":2,"updateMode":"full","buffer":[1E0,2E0]},"a":{"buffer":[1,null]}},\
                    "status":{"session":"3f","measuring":true}}
                    """
                ].map { Array($0.utf8) }
            ) { bytes throws(BrokenProperty) in try checkPolling(bytes) },
            FuzzTarget(
                "lab-table", dictionary: ["seconds_elapsed", "Time (s)", "Pressure (hPa)", "\\x0d\\x0a"],
                seeds: [
                    "time,seconds_elapsed,z,y,x\n1698501144401773000,0.1,1,2,3\n",
                    "\"Time (s)\";\"Pressure (hPa)\"\r\n0,0E0;1,01325E3\r\n",
                    "# a remark; b\ntime,gFx (g),gFy (g),gFz (g)\n23:59:59:999,0,0,1\n",
                ].map { Array($0.utf8) }
            ) { bytes throws(BrokenProperty) in try checkTables(bytes) },
            FuzzTarget(
                "lab-experiment",
                dictionary: ["tandemExperiment", "formula", "sqrt(", "gyroscope.x", "parameters", "plots"],
                seeds: Experiment.builtInFiles.map { Array("\($0)".utf8) }
            ) { bytes throws(BrokenProperty) in try checkExperiment(bytes) },
        ]
    }

    private static var recordingSeeds: [[UInt8]] {
        let start: Int64 = 1_795_266_000_000_000
        let header = RecordingHeader(
            id: Array(1...16), person: Array("theo".utf8), utcOffsetMinutes: 60, startedAt: start,
            streams: [
                RecordedStream(kind: .accelerometer, source: .lab), RecordedStream(kind: .barometer, source: .lab),
            ])
        guard var writer = try? RecordingWriter(header: header), let empty = try? header.encoded() else { return [] }
        for place in 0..<20 as Range<Int64> {
            writer.add([0, Double(place), 1], to: 0, at: start + place * 10_000)
            writer.add([101.325], to: 1, at: start + place * 10_000)
        }
        writer.add(.annotation(at: start, text: Array("a".utf8)))
        let open = writer.takeBytes()
        writer.add(.end(at: start + 1_000_000))
        // A record of more samples than any integer counts, and a clock farther off than any time is.
        let greatest = [UInt8](repeating: 0xFF, count: 9) + [1]
        return [
            open, open + writer.takeBytes(), empty + [1, 11, 0] + greatest, empty + [4, 12, 0] + greatest + [0],
        ]
    }

    /// Bytes that a device appended: what is whole of them can be stored, and comes to the same both ways.
    private static func checkRecordedSamples(_ bytes: [UInt8]) throws(BrokenProperty) {
        guard var reader = try? RecordingReader(bytes, isComplete: false) else { return }
        do throws(RecordingError) { while try reader.next() != nil {} } catch { return }
        let recording = Array(bytes[..<reader.offset])
        let (open, whole) = (
            try? RecordingSummary(bytes, isComplete: false), try? RecordingSummary(recording, isComplete: true)
        )
        try require(whole != nil && open == whole, "a recording comes to the same, open and stored")
        let count = whole?.streams.reduce(0) { $0 + $1.samples } ?? 0
        try require(count <= RecordingLimits.standard.samples, "samples are bounded")
        // With a limit of its own it stops at the record that goes beyond it.
        let most = min(count, 50)
        if var limited = try? RecordingReader(bytes, isComplete: false, mostSamples: most) {
            while let record = try? limited.next() { _ = record }
            try require(limited.samples <= most, "samples are bounded by who reads them")
        }
        if whole?.isEnded == false {
            var writer = try succeeds("what is not ended can be gone on with") {
                () throws(RecordingError) in try RecordingWriter(resuming: recording)
            }
            try require(writer.takeBytes().isEmpty, "nothing is added by going on")
        }
    }

    private static func checkLoggerMessage(_ bytes: [UInt8]) throws(BrokenProperty) {
        guard let message = try? SensorLoggerMessage.decode(bytes.span) else { return }
        for kind in SensorKind.allCases {
            var collector = SampleCollector(kind: kind)
            for sample in message.samples(of: kind, source: .sensorLoggerIOS) {
                try require(sample.time >= EpochTime.earliest, "a time is one of today's")
                collector.add(sample.values.map { $0 }, at: sample.time)
            }
            let blocks = collector.takeBlocks(gap: 1_000_000)
            try require(
                blocks.reduce(0) { $0 + $1.count } == collector.report.taken, "each sample that is taken is in a block")
        }
        try require(message.failure == nil || message.readings.isEmpty, "what could be used is used")
    }

    private static func checkPolling(_ bytes: [UInt8]) throws(BrokenProperty) {
        _ = try? PhyphoxConfiguration.decode(bytes)
        _ = try? phyphoxControlResult(bytes)
        guard let answer = try? PhyphoxValues.decode(bytes) else { return }
        let input = PhyphoxConfiguration.Input(
            source: Array("pressure".utf8),
            outputs: [(Array("x".utf8), Array("a".utf8)), (Array("t".utf8), Array("t".utf8))])
        guard var polling = PhyphoxPolling(input) else { return }
        for _ in 0..<2 {
            for sample in polling.handle(answer).samples {
                try require(sample.values.allSatisfy { $0.isFinite }, "a value is a number")
            }
            try require(isASCIIWord(polling.path), "a request can be sent")
        }
    }

    private static func checkTables(_ bytes: [UInt8]) throws(BrokenProperty) {
        let all =
            [
                try? ImportedSamples.phyphox(bytes),
                try? ImportedSamples.sensorLogger(
                    bytes, fileName: Array("Gyroscope.csv".utf8), source: .sensorLoggerIOS),
                try? ImportedRecording(bytes, fileName: [], app: .physicsToolbox).samples,
            ]
        for samples in all.compactMap({ $0 }).joined() {
            try require(samples.times.count == samples.values.count, "each sample has a time")
            try require(
                samples.values.allSatisfy { $0.count == samples.kind.axisCount }, "each sample has all its axes")
        }
    }

    private static func checkExperiment(_ bytes: [UInt8]) throws(BrokenProperty) {
        guard let experiment = try? Experiment(bytes) else { return }
        let values = experiment.values(seconds: 1, axes: [1, nil, .infinity, -2], parameters: [.nan, 1e300])
        try require(values.count == experiment.channels.count, "each channel has a value or none")
    }
}
