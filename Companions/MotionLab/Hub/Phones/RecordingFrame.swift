import GRDB
import HubKit
import MotionLabEngine
import Storage
import Wire

/// The units and signs in which an app sent a recording, which are one for all of it.
extension StoredRecording {
    private static let accelerations: [SensorKind] = [.accelerometer, .linearAcceleration, .gravity]

    /// The id of what an app sends under a name of its own.
    static func id(ofPush session: String, from device: String) -> String {
        SessionOrigin.name(of: SessionOrigin.identifier(of: [device, session], count: 16))
    }

    /// The frame in which its accelerations are stored; nil where it has none, or nobody wrote it down.
    var frame: Phones.Frame? {
        for stream in streams {
            guard let source = stream.frame.flatMap({ SensorSource(rawValue: $0) }) else { continue }
            return Phones.Frame(source: source, isGuess: stream.isFrameGuessed == true)
        }
        return nil
    }

    /// The frame in which a message of its own is to be stored. Messages may be stored in another order than they were read
    /// in: what is proved stays so, and of guesses the first.
    func frame(for push: SensorLoggerPush) -> Phones.Frame {
        let sent = Phones.Frame(source: push.source, isGuess: push.isGuess)
        guard let frame else { return sent }
        return frame.isGuess && !sent.isGuess ? sent : frame
    }

    /// Notes how its accelerations are stored.
    mutating func note(_ frame: Phones.Frame) {
        guard frame.source != .phyphox else { return }
        let names = Self.accelerations.map { "\($0.name)" }
        for place in streams.indices where names.contains(streams[place].sensor) {
            streams[place].frame = frame.source.rawValue
            streams[place].isFrameGuessed = frame.isGuess ? true : nil
        }
    }

    /// Puts right what was stored before anything had proved in which units and signs it was sent, where that proves
    /// otherwise.
    mutating func settle(_ proved: Phones.Frame, of device: DeviceRecord, _ db: Database) throws {
        guard !proved.isGuess, let frame, frame.isGuess, frame.source != proved.source else { return }
        for kind in Self.accelerations {
            guard let stream = streams.first(where: { $0.sensor == "\(kind.name)" }), stream.frame != nil,
                let first = stream.firstMicroseconds, let last = stream.lastMicroseconds, first <= last,
                let stored = try db.stream("\(kind.name)", device: device.id)
            else { continue }
            try db.change(first...last, of: stored) { block in
                try block.corrected(as: kind, from: frame.source, to: proved.source)
            }
        }
    }
}

extension SampleBlock {
    /// The samples as they are where they were sent by another source than they were taken to be; others than accelerations
    /// are the same.
    ///
    /// - Throws: where that is no block: then nothing of it may be taken away.
    func corrected(as kind: SensorKind, from mistaken: SensorSource, to source: SensorSource) throws(SampleBlockError)
        -> SampleBlock
    {
        let factor = mistaken == source ? 1 : source.correction(of: kind, from: mistaken)
        guard factor != 1 else { return self }
        let greatest = Double(SampleBlock.greatest)
        return try SampleBlock(
            times: times,
            axes: axes.map { axis in axis.map { Int64(max(-greatest, min(greatest, (Double($0) * factor).rounded()))) }
            })
    }
}
