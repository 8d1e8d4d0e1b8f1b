import GRDB
import HubKit
import Localization
import NIOCore
import Storage
import TriviaToyEngine

/// The decoder of what a toy publishes: how it is, what it has played, and what its buttons voted. Lives on the
/// listener's event loop.
final class ToyMessageDecoder: DeviceMessageDecoder {
    private let device: DeviceRecord
    private let toy: TriviaToy

    init(device: DeviceRecord, toy: TriviaToy) {
        self.device = device
        self.toy = toy
    }

    func decode(tail: ByteBuffer, payload: ByteBuffer, into readings: ReadingCollector) throws(BadMessage) {
        let bytes = Array(buffer: payload)
        do throws(MessageFault) {
            switch String(buffer: tail) {
            case "\(ToyTopic.play)": perform(ToyReport(try PlayReport(decoding: bytes.span), bytes), readings)
            case "\(ToyTopic.vote)": perform(ToyReport(try VoteReport(decoding: bytes.span), bytes), readings)
            case "\(ToyTopic.status)": perform(try StatusReport(decoding: bytes.span), readings)
            case "\(ToyTopic.said)": perform(try SpokenReport(decoding: bytes.span), bytes, readings)
            default: return
            }
        } catch {
            // The owner reads it on the device's page, and the log is in English.
            throw BadMessage(ToyText.refused(error).string(in: .english, from: .triviaToy))
        }
    }

    private func perform(_ report: ToyReport, _ readings: ReadingCollector) {
        let now = toy.hub.clock.now()
        readings.perform { [device, toy] db in
            guard try report.store(of: device, now: now, toy.limits, db) else { return }
            toy.publish(report.kind, of: device, after: db)
            if report.isPunctualPlay(now: now) {
                let topic = TriviaToy.toldTopic(of: device.id)
                db.afterCommit { toy.hub.messages.publish(topic: topic, payload: ByteBuffer(string: "told")) }
            }
        }
    }

    private func perform(_ report: SpokenReport, _ bytes: [UInt8], _ readings: ReadingCollector) {
        let now = toy.hub.clock.now()
        let spoken = SpokenWords.Spoken(report, bytes, of: device, now: now)
        readings.perform { [device, toy] db in
            var spoken = spoken
            if report.piece == 0 {
                spoken.message = try MessageRecord.offer(inPlaceOf: Int64(report.fact), on: device, db)
            } else if toy.spoken.last(of: device.id)?.message != nil {
                // The rest of a fact in whose place a message is heard.
                return
            }
            toy.spoken.say(spoken)
            toy.publish("speech", of: device, after: db)
        }
    }

    private func perform(_ status: StatusReport, _ readings: ReadingCollector) {
        let now = toy.hub.clock.now()
        // With it the hub knows that the toy listens: what it asks for is sent when this is stored.
        readings.add(
            quantity: Self.battery, unit: "%", value: Double(status.batteryPercent), at: nil)
        readings.perform { [device, toy] db in
            try ToyStatusRecord(device, status, at: now).save(db)
            toy.publish("toy", of: device, after: db)
        }
    }

    /// The quantity in which a toy's battery is stored, per cent.
    static let battery = ByteBuffer(string: "battery")
}
