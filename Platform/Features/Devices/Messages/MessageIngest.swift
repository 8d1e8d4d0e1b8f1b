import Foundation
import GRDB
import HubKit
import Logging
import MQTT
import NIOCore
import Readings
import Storage
import Wire

/// The way of devices' messages into the batch: readings, a companion's own work, and what could not be understood. It lives
/// on the listener's event loop.
final class MessageIngest {
    private let hub: HubContext
    private let loop: any EventLoop
    /// The ids that programs have published for and no device has, as far as the log has said so.
    private var unknown: Set<String> = []
    private static let mostUnknown = 100
    /// The batch writer that collects and commits everything received.
    let batchWriter: BatchWriter

    init(context: DeviceContext, loop: any EventLoop, foreign: any ForeignMessages) throws {
        hub = context.hub
        self.loop = loop
        batchWriter = try BatchWriter(hub: context.hub, loop: loop) { readings in
            for companion in context.companions { companion.committed(readings) }
            foreign.committed(readings)
        }
    }

    /// Adds what was decoded of a device's messages to the batch.
    func store(_ readings: ReadingCollector, of device: KnownDevice, now: Int64) {
        for entry in readings.entries {
            let series: Series
            if let latest = device.latest, latest.key == entry.quantity {
                series = latest
            } else if let found = batchWriter.series(device: device.record, quantity: entry.quantity, unit: entry.unit)
            {
                series = found
                device.latest = series
            } else {
                let reason = "This device has \(hub.settings.seriesPerDevice) series already, and gets no further one."
                report(BadMessage(reason), topic: entry.quantity, of: device, now: now)
                continue
            }
            batchWriter.add(entry.value, at: entry.at, to: series, now: now)
        }
        readings.entries.removeAll(keepingCapacity: true)
        for work in readings.work {
            let (log, id) = (hub.log, device.record.id)
            batchWriter.perform(work).whenFailure { error in
                log.error(
                    "what a device sent could not be stored", metadata: ["device": "\(id)", "reason": "\(error)"])
            }
        }
        readings.work.removeAll(keepingCapacity: true)
        if !device.hasSpoken {
            device.hasSpoken = true
            let hub = hub
            let record = device.record
            batchWriter.perform { db in hub.live.publish(.device(record.id), household: record.household, after: db) }
        }
    }

    /// Says on the device's page that a message was put aside for its topic, unless it is one that needs no care.
    func reportForeign(topic: ByteBuffer, of device: KnownDevice) {
        let foreign = ForeignTopic(topic, prefix: hub.policy.deviceTopics(device.record.id))
        guard let rejection = foreign.rejection else { return }
        report(rejection, topic: topic, of: device, now: hub.clock.now(), isCounted: false)
    }

    /// Counts what a program published for a device that its household does not have, and says each such id once in the log:
    /// a placeholder that was left in a topic, or a device that was removed.
    func reportUnknown(device id: String) {
        hub.counts.count(.notUnderstood)
        guard id.utf8.count <= DeviceDirectory.mostIDBytes, unknown.count < Self.mostUnknown,
            unknown.insert(id).inserted
        else { return }
        hub.log.warning(
            "a program publishes for a device that its household does not have; nothing of it is stored. The id of each stands on its page, in Settings",
            metadata: ["device": "\(id.withoutUnseenCharacters.prefix(64))"])
    }

    /// The number of repetitions for each line on the page: a bridge that comes back repeats once or twice, and a program
    /// that publishes by the clock does without end.
    private static let repetitionsPerLine = 10

    /// Counts a retained message that said again what is kept of its topic and so was not read, and says so on the device's
    /// page where nothing else comes.
    func reportRepeated(topic: ByteBuffer, of device: KnownDevice) {
        device.repeated += 1
        guard device.repeated % Self.repetitionsPerLine == 0 else { return }
        let reason =
            "Put aside: \(device.repeated) messages in a row said only what was known already, retained and each on a new"
            + " connection, as a bridge repeats what it has kept. They are no readings. A program that has measured again"
            + " publishes without retain (mosquitto_pub without -r), or with the time: {\"value\": 41.5, \"at\": …}."
        report(BadMessage(reason), topic: topic, of: device, now: hub.clock.now(), isCounted: false)
    }

    /// The number of times, and in what time, that connections drive each other out when two devices have one token: one
    /// that comes back over a bad network does so less often.
    private static let fight = (times: 4, milliseconds: 120_000 as Int64)

    /// Says on a device's page that two share its token, where connections with it drive each other out.
    func gaveWay(_ device: KnownDevice) {
        let now = hub.clock.now()
        device.gaveWayAt = device.gaveWayAt.filter { (0..<Self.fight.milliseconds).contains(now - $0) } + [now]
        guard device.gaveWayAt.count >= Self.fight.times else { return }
        device.gaveWayAt = []
        let reason =
            "Two devices seem to have this one’s token: they drive each other out. Add the second as a device of its own, with its own token."
        report(BadMessage(reason), topic: ByteBuffer(), of: device, now: now, isCounted: false)
    }

    /// Counts an error, stores it for the device's page, and publishes it on the device's error topic.
    ///
    /// - Parameter isCounted: whether it counts as not understood; the listener counts what it puts aside itself.
    func report(_ message: BadMessage, topic: ByteBuffer, of device: KnownDevice, now: Int64, isCounted: Bool = true) {
        // Into the log and the page as one line, which is read in its order, whatever it holds.
        let topic = String(
            String.UnicodeScalarView(
                String(buffer: topic).unicodeScalars.map { scalar in
                    let isSeen =
                        scalar.value >= 32 && !UnseenCharacters.isControl(scalar.value)
                        && !UnseenCharacters.isDirection(scalar.value)
                        && !UnseenCharacters.isWithoutWidth(scalar.value)
                    return isSeen ? scalar : "\u{FFFD}"
                }))
        let record = device.record
        device.errors += 1
        if isCounted { hub.counts.count(.notUnderstood) }
        let body = ErrorMessage(topic: topic, message: message.reason, at: now)
        if let payload = try? JSONEncoder().encode(body) {
            hub.messages.publish(topic: "tandem/\(record.id)/errors", payload: ByteBuffer(bytes: payload))
        }
        // One write a batch, however many errors it holds.
        guard device.errors == 1 else { return }
        let hub = hub
        let counted = NIOLoopBound(device, eventLoop: loop)
        loop.assumeIsolated().execute {
            let count = counted.value.errors
            counted.value.errors = 0
            hub.log.warning(
                "a device sent what could not be understood",
                metadata: [
                    "device": "\(record.id)", "topic": "\(topic)", "reason": "\(message.reason)", "count": "\(count)",
                ])
            self.batchWriter.perform { db in
                try db.execute(
                    cached: """
                        UPDATE device SET error_count = error_count + ?, error_at = ?, error_topic = ?, error_message = ?
                        WHERE id = ?
                        """, arguments: [count, now, topic, message.reason, record.id])
                hub.live.publish(.device(record.id), household: record.household, after: db)
            }
        }
    }

    private struct ErrorMessage: Encodable {
        var topic, message: String
        var at: Int64
    }
}
