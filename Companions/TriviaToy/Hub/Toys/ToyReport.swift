import Foundation
import GRDB
import HubKit
import Storage
import TriviaToyEngine

/// A play or a vote that a toy reports, perhaps days later, and perhaps more than once.
struct ToyReport: Sendable {
    private enum Content: Sendable {
        case play(PlayReport)
        case vote(VoteReport)
    }

    /// The kind of the report, as pages are told of it.
    var kind: String {
        switch content {
        case .play: "play"
        case .vote: "vote"
        }
    }

    /// Whether it is a play of the last minutes, upon which something may be switched on.
    ///
    /// - Parameter now: UTC milliseconds.
    func isPunctualPlay(now: Int64) -> Bool {
        guard case .play(let play) = content else { return false }
        return play.time == 0 || now - Int64(play.time) * 1_000 < 5 * 60_000
    }

    private let content: Content
    /// The report as it came: two toys with one identity report different things under one number.
    private let bytes: Data

    init(_ play: PlayReport, _ bytes: [UInt8]) {
        content = .play(play)
        self.bytes = Data(bytes)
    }

    init(_ vote: VoteReport, _ bytes: [UInt8]) {
        content = .vote(vote)
        self.bytes = Data(bytes)
    }

    private var sequence: UInt32 {
        switch content {
        case .play(let play): play.sequence
        case .vote(let vote): vote.sequence
        }
    }

    /// Stores it, once a sequence number of the toy. Another report under a number that is known is stored too, so that
    /// nothing is lost, and the toy is marked: two have one identity, or one has lost its memory.
    ///
    /// - Returns: whether it is new.
    func store(of device: DeviceRecord, now: Int64, _ limits: ToyLimits, _ db: Database) throws -> Bool {
        let known = try Data.fetchAll(
            db, cached: "SELECT message FROM toy_report WHERE device = ? AND sequence = ?",
            arguments: [device.id, Int64(sequence)])
        guard !known.contains(bytes) else { return false }
        var toy = try ToyRecord.of(device, db)
        if !known.isEmpty {
            // However many numbers a toy repeats, of each so many are stored.
            guard known.count < limits.reportsOfOneNumber else { return false }
            toy.twinAt = now
            try toy.update(db)
        }
        try db.execute(
            cached: "INSERT INTO toy_report(device, sequence, message) VALUES (?, ?, ?)",
            arguments: [device.id, Int64(sequence), bytes])
        let listener = try toy.heardBy(db)
        switch content {
        case .play(let play):
            guard try !MessageRecord.takesPlace(of: Int64(play.fact), on: device, db) else { return true }
            guard let fact = try FactRecord.find(onToy: play.fact, household: device.household, db) else { return true }
            try PlayRecord.add(
                fact, listener: listener, at: Self.time(play.time, now), device: device.id,
                ending: .init(play.ending), db)
        case .vote(let vote):
            guard let fact = try FactRecord.find(onToy: vote.fact, household: device.household, db) else { return true }
            let earlier = try earlierVote(on: fact, of: device, db)
            guard try isNewest(vote, on: fact, of: device, db) else { return true }
            if let last = try Votes.lastChange(of: listener, on: fact.id, db) {
                if vote.time == 0 {
                    // A toy without a clock cannot say that it is newer than the page: it changes its own vote alone.
                    guard try Votes.of(listener, on: fact.id, db) == earlier else { return true }
                } else if Int64(vote.time) < last / 1_000 {
                    // It was given days ago, say, and the page has been asked since. A toy counts whole seconds.
                    return true
                }
            }
            try Votes.set(vote.vote, on: fact, listener: listener, at: Self.time(vote.time, now), db)
        }
        return true
    }

    /// The newest vote of a toy on a fact before this one; nil without any.
    private func earlierVote(on fact: FactRecord, of device: DeviceRecord, _ db: Database) throws -> FactVote? {
        let message = try Data.fetchOne(
            db,
            cached: """
                SELECT message FROM toy_report JOIN toy_device_vote USING (device, sequence)
                WHERE device = ? AND fact = ? ORDER BY message LIMIT 1
                """, arguments: [device.id, fact.id])
        return message.flatMap { try? VoteReport(decoding: Array($0).span) }?.vote
    }

    /// Whether a vote is the newest of a toy on a fact: of several the one with the highest number stands, in whatever
    /// order they come.
    private func isNewest(_ vote: VoteReport, on fact: FactRecord, of device: DeviceRecord, _ db: Database) throws
        -> Bool
    {
        let newest = try Int64.fetchOne(
            db, cached: "SELECT sequence FROM toy_device_vote WHERE device = ? AND fact = ?",
            arguments: [device.id, fact.id])
        guard Int64(vote.sequence) >= newest ?? 0 else { return false }
        try db.execute(
            cached: "INSERT OR REPLACE INTO toy_device_vote(device, fact, sequence) VALUES (?, ?, ?)",
            arguments: [device.id, fact.id, Int64(vote.sequence)])
        return true
    }

    /// The time of the report: by the toy, where it knew the time and does not say a later one than now.
    ///
    /// - Parameters:
    ///   - seconds: since 1970; 0 for not known.
    ///   - now: UTC milliseconds, as the result.
    private static func time(_ seconds: UInt32, _ now: Int64) -> Int64 {
        seconds == 0 ? now : min(Int64(seconds) * 1_000, now)
    }
}

extension PlayRecord.Ending {
    init(_ ending: PlayEnding) {
        switch ending {
        case .finished: self = .finished
        case .stopped: self = .stopped
        case .cutOff: self = .cutOff
        }
    }
}
