import Foundation
import GRDB
import HubKit
import MotionLabEngine
import Storage

extension MotionLab {
    /// Stores what a phone sent, in the caller's transaction. The same message again changes nothing but what is
    /// counted: a sample at a time that is stored is known.
    func store(_ push: SensorLoggerPush, of device: DeviceRecord, _ db: Database) throws {
        let phones = phones
        let now = hub.clock.now()
        let begun = try meter.measure { try Self.store(push, of: device, now: now, db) }
        let values = PhoneValue.newest(push.blocks)
        db.afterCommit { phones.heard(device.id, values, now: now) }
        guard let recording = begun else { return }
        hub.live.publish(
            changed: "recording", id: recording, of: MotionLab.self, household: device.household, after: db)
    }

    /// Stores a message as a part of its recording.
    ///
    /// - Returns: the id of the recording, where it is new.
    private static func store(_ push: SensorLoggerPush, of device: DeviceRecord, now: Int64, _ db: Database) throws
        -> String?
    {
        // That of phyphox says nothing of what the phone's other app sends.
        if push.source != .phyphox, !push.isGuess {
            try PhoneRecord(device: device.id, source: push.source.rawValue).save(db)
        }
        let id = StoredRecording.id(ofPush: push.session, from: device.id)
        // The app sends again what it was not answered, also of what somebody has removed meanwhile.
        if try RemovedRecord.isRemoved(id, household: device.household, db) { return nil }
        let known = try StoredRecording.find(id, household: device.household, db)
        var recording = try known ?? .begun(id, push, of: device, now: now, db)
        recording.count(push)
        let frame = recording.frame(for: push)
        try recording.settle(frame, of: device, db)
        for (kind, sent) in push.blocks {
            let block = try sent.corrected(as: kind, from: push.source, to: frame.source)
            let stored = try db.append(block, to: try db.stream(PhoneStreams.stream(kind), of: device))
            recording.add(
                stored.stored, of: kind, first: block.first, last: block.last,
                hertz: SamplingRate(block.times)?.hertz)
        }
        recording.note(frame)
        for annotation in push.annotations { recording.reach(annotation.time) }
        try recording.save(db)
        for annotation in push.annotations {
            try AnnotationRecord(
                household: device.household, recording: id, atMicroseconds: annotation.time,
                text: String(decoding: annotation.text, as: UTF8.self).withoutUnseenCharacters
            ).insert(db, onConflict: .ignore)
        }
        return known == nil ? id : nil
    }
}

extension StoredRecording {
    /// A recording of which a first message has come.
    fileprivate static func begun(
        _ id: String, _ push: SensorLoggerPush, of device: DeviceRecord, now: Int64, _ db: Database
    ) throws -> StoredRecording {
        let household = try HouseholdRecord.find(db, key: device.household)
        let times = push.blocks.map(\.block.first) + push.annotations.map(\.time)
        let start = times.min() ?? now * 1_000
        let calendar = LocalCalendar(timeZone: TimeZone(identifier: household.timeZone) ?? .gmt)
        return StoredRecording(
            household: device.household, id: id, device: device.id, origin: .push,
            day: calendar.moment(of: start / 1_000).day, startMicroseconds: start, endMicroseconds: start)
    }

    fileprivate mutating func count(_ push: SensorLoggerPush) {
        messages += 1
        if push.isRepeated { repeatedMessages += 1 }
        missingMessages = Int(clamping: push.missing)
        refusedSamples += push.refused
        reorderedSamples += push.reordered
    }
}
