import DrumsEngine
import Foundation
import GRDB
import HubKit
import Storage

/// Four months of practice of a child of the sample household, each song played by the engine and stored as what a page
/// delivers: the right side is slower, both get a little quicker, there are rest days, a week away, and lost links.
struct DemoPractice: Sendable {
    /// The number of days of the sample practice, up to today.
    static let days: Int32 = 122
    private static let seed: UInt64 = 11
    /// The days on which nothing is played, counted from the first day.
    private static let away: ClosedRange<Int32> = 61...69

    /// UTC milliseconds.
    let now: Int64

    /// The child's favourites first.
    private static let songs = [
        "ode-to-joy", "twinkle-twinkle", "frere-jacques", "mary-had-a-little-lamb", "jingle-bells",
    ]

    /// The first child of the household practises.
    func seed(_ household: HouseholdRecord, _ db: Database) throws {
        let child = try PersonRecord.fetchOne(
            db, sql: "SELECT * FROM person WHERE household = ? AND role = 'child' ORDER BY created_at, id",
            arguments: [household.id])
        let songs = Self.songs.compactMap { id in
            SongLibrary.songs.first { String(decoding: $0.id, as: UTF8.self) == id }
        }
        if let child { try seed(child, household, songs: songs, db) }
    }

    /// Stores the sample practice of a person.
    ///
    /// - Parameter songs: those that are played, the first ones most.
    func seed(_ person: PersonRecord, _ household: HouseholdRecord, songs: [Song], _ db: Database) throws {
        guard !songs.isEmpty else { return }
        let calendar = LocalCalendar(timeZone: person.zone(household))
        let today = calendar.moment(of: now).day
        for index in 0..<Self.days where !Self.away.contains(index) {
            let day = today - Self.days + 1 + index
            // A stream for each day, so that one day more changes none of the others.
            var random = SeededRandom(seed: Self.seed, stream: UInt64(index))
            let isRest = CivilDate(day: day).weekday == 7 ? !random.once(every: 6) : random.once(every: 5)
            guard !isRest else { continue }
            let start = calendar.instant(day: day, minute: 16 * 60 + 20 + Int32(random.between(-40, 60)))
            try practise(Day(index: index, start: start), person, household, calendar, songs, &random, db)
        }
    }

    private struct Day {
        /// The number of the day, from 0.
        var index: Int32
        /// UTC milliseconds.
        var start: Int64
        /// The progress of the practice: 0 on the first day, 1 today.
        var progress: Double { Double(index) / Double(DemoPractice.days - 1) }
    }

    private func practise(
        _ day: Day, _ person: PersonRecord, _ household: HouseholdRecord, _ calendar: LocalCalendar, _ songs: [Song],
        _ random: inout SeededRandom, _ db: Database
    ) throws {
        let traits = DrummerTraits(
            // A slow drift, and days that are better and worse.
            medianReaction: 610 - 70 * day.progress + random.normal() * 22, spread: 0.22,
            wrongShare: 0.17 - 0.05 * day.progress, slowerSide: .right, slower: 0.24 - 0.06 * day.progress, tiring: 0.12
        )
        var drummer = VirtualDrummer(traits, seed: random.next())
        var start = day.start + Int64(random.between(0, 59_000))
        for _ in 0..<Int(random.between(2, 6)) {
            // The first songs of the list are the favourites.
            let place = min(Int(abs(random.normal()) * 1.6), songs.count - 1)
            let isFlow = day.progress > 0.45 && random.once(every: 5)
            let level: Level = day.progress > 0.3 && random.unit() < 0.55 ? .two : .one
            let offset = calendar.timeZone.secondsFromGMT(for: Date(milliseconds: start)) / 60
            let song = songs[place]
            let chart = song.chart(level)
            let beats = chart.steps.count { $0 }
            let setup = SessionSetup(
                id: (0..<DrumSession.Limits.id).map { _ in UInt8.random(in: 1...255, using: &random) },
                person: Array(person.id.utf8), utcOffsetMinutes: Int16(clamping: offset), songID: song.id,
                songTitle: song.title, chart: chart, level: level, mode: isFlow ? .flow : .wait, hands: .both,
                drums: day.progress < 0.2 ? DrumSet(rawValue: 0b1011) : .all,
                seed: UInt32(truncatingIfNeeded: random.next()),
                link: .bluetooth, countInBeats: 4,
                window: .initial,
                leadMilliseconds: SessionRules.usualLead, stop: StopRules())
            var played = try SimulatedSong(
                setup, start: start, drummer: drummer, mishap: Self.mishap(beats: beats, &random),
                random: SeededRandom(seed: random.next()))
            drummer = played.play()
            let end = played.session.result.endedAt
            guard end + 2_000 <= now else { return }
            let delivered = try DeliveredSession(played.session.encoded())
            try delivered.session.origin.checkTime(now: now)
            try delivered.store(of: person, household, now: end + 1_500, db)
            start = end + Int64(random.between(25_000, 120_000))
        }
    }

    /// A loss of the link, which comes in one song of nine and is seldom for good; nil where there is none.
    private static func mishap(beats: Int, _ random: inout SeededRandom) -> SimulatedSong.Mishap? {
        guard random.once(every: 9), beats > 4 else { return nil }
        let isForGood = random.once(every: 7)
        return SimulatedSong.Mishap(
            beat: Int(random.between(2, Double(beats - 1))),
            microseconds: isForGood ? nil : Int64(random.between(6_000_000, 18_000_000)))
    }
}
