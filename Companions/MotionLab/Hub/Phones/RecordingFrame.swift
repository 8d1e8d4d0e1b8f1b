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
    /// otherwise: its samples are taken away and stored as they should have been.
    mutating func settle(_ push: SensorLoggerPush, of device: DeviceRecord, _ db: Database) throws {
        guard !push.isGuess, let frame, frame.isGuess, frame.source != push.source else { return }
        for kind in Self.accelerations {
            guard let stream = streams.first(where: { $0.sensor == "\(kind.name)" }), stream.frame != nil,
                let first = stream.firstMicroseconds, let last = stream.lastMicroseconds, first <= last,
                let stored = try db.stream("\(kind.name)", device: device.id)
            else { continue }
            let factor = push.source.correction(of: kind, from: frame.source)
            var blocks: [SampleBlock] = []
            try db.forEachBlock(stream: stored, from: first, to: last + 1) { block in
                let axes = block.axes.map { axis in
                    axis.map { value in
                        let right = (Double(value) * factor).rounded()
                        return Int64(max(-Double(SampleBlock.greatest), min(Double(SampleBlock.greatest), right)))
                    }
                }
                if let right = try? SampleBlock(times: block.times, axes: axes) { blocks.append(right) }
            }
            try db.remove(first...last, from: stored)
            for block in blocks { _ = try db.append(block, to: stored) }
        }
    }
}
