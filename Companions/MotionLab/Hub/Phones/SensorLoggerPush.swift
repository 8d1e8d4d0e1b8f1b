import MotionLabEngine
import Wire

/// A message of Sensor Logger's, made ready for the database's writer: samples in blocks, in the lab's units.
struct SensorLoggerPush: Sendable {
    /// The app's name for the recording.
    var session: String
    var source: SensorSource
    /// Whether nothing of the recording has proved its units and signs so far.
    var isGuess = false
    var blocks: [(kind: SensorKind, block: SampleBlock)] = []
    var annotations: [SensorLoggerMessage.Annotation]
    /// Whether its number came before.
    var isRepeated: Bool
    /// The number of messages of the recording that have not come.
    var missing: Int64
    /// The number of readings that were not as they should be, or whose time had come before in the message.
    var refused = 0
    /// The number of readings that came before an earlier one.
    var reordered = 0

    /// A message that came another way than in the app's own.
    init(
        session: String, source: SensorSource, blocks: [(kind: SensorKind, block: SampleBlock)], refused: Int
    ) {
        self.session = session
        self.source = source
        self.blocks = blocks
        self.refused = refused
        annotations = []
        isRepeated = false
        missing = 0
    }

    init(_ message: SensorLoggerMessage, session: String, frame: Phones.Frame, isRepeated: Bool, missing: Int64) {
        self.session = session
        source = frame.source
        isGuess = frame.isGuess
        self.isRepeated = isRepeated
        self.missing = missing
        annotations = message.annotations
        refused = message.skipped.faulty
        for kind in SensorKind.allCases {
            var collector = SampleCollector(kind: kind)
            for sample in message.samples(of: kind, source: source) {
                collector.add(sample.values.map { $0 }, at: sample.time)
            }
            guard !collector.isEmpty || collector.report.refused > 0 else { continue }
            for block in collector.takeBlocks(gap: .max) { blocks.append((kind, block)) }
            refused += collector.report.refused + collector.report.repeated
            reordered += collector.report.reordered
        }
    }
}
