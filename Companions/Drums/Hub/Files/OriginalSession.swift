import DrumsEngine
import Foundation
import HubKit
import Localization
import Wire

/// A session as the original keeps it: one dictionary of its `sessiondata.plist`.
struct OriginalSession: Sendable, Hashable, Encodable {
    /// The keys of the dictionary, as the original writes them.
    enum Key: String, CodingKey, CaseIterable {
        case tempo, level, drums, date
        case songName = "song_name"
        case beatSequence = "beat_sequence"
        case hitSequence = "hit_sequence"
    }

    /// The sizes that are taken.
    enum Limits {
        /// The range of steps a minute: what the engine plays, in beats of one step or of four. The original's first
        /// song has 120.
        static let tempo = 15...2_400
        /// The most bytes of a song's name, UTF-8.
        static let songBytes = DrumSession.Limits.songTitle.upperBound
        /// The most bytes of one hit: the right drum, and some two thousand wrong ones before it.
        static let hitBytes = DrumSession.Limits.importedText
        /// The most bytes of all hits of a session.
        static let allHitBytes = DrumSession.Limits.importedTexts
        /// The most steps of a song.
        static let steps = DrumSession.Limits.steps
        /// The range of the number of steps that are hit.
        static let beats = DrumSession.Limits.beats
        /// The dates that are numbers at all, in milliseconds: years 1 to 9999.
        static let dates = Int64(-62_135_596_800_000)...253_402_300_799_999
    }

    /// The reason why a dictionary is no session.
    struct Failure: Error, Equatable, Sendable {
        /// The key at which the fault lies; nil for the whole.
        var key: Key?
        /// The fault, and how it should be: a sentence or two.
        var message: LocalizedText
    }

    /// The tempo, in entries of the beat sequence a minute.
    var tempo: Int
    /// The level, 1 to 4.
    var level: Int
    var songName: String
    /// Whether each of the four is active; the original lets them all be off, and plays red then.
    var drums: [Bool]
    /// The steps of the song: true is a beat, false a rest.
    var beatSequence: [Bool]
    /// The drum's answer to each step, as it came; empty where nothing came. A rest has one too: what the drum answers
    /// before the first beat, the original writes to step 0.
    var hitSequence: [String]
    /// UTC milliseconds.
    var date: Int64
}

extension OriginalSession {
    /// Reads a session from a property list.
    ///
    /// - Parameter value: of a property list.
    /// - Throws: ``Failure`` for a value of another type, a key that is missing, and numbers that no session has.
    init(_ value: PropertyList) throws(Failure) {
        if case .unreadable(.cutOff) = value {
            throw Failure(message: LocalizedText("the file ends in it. Was it copied whole?"))
        }
        if case .unreadable(let kind) = value {
            switch kind {
            case .tag, .misplaced, .tooDeep:
                throw Failure(
                    message: LocalizedText(
                        "it is damaged: a line of it \(SessionDataFile.Failure.message(kind)). The others were read."))
            default: throw Failure(message: LocalizedText("it is damaged, and cannot be read. The others were read."))
            }
        }
        guard case .dictionary(let all) = value else {
            throw Failure(message: LocalizedText("it is no dictionary. A session is one, with the keys \(Self.keys)."))
        }
        var entries: [Key: PropertyList] = [:]
        for entry in all {
            // Other keys may be there, and of other programs are.
            if let key = Key(rawValue: String(decoding: entry.key, as: UTF8.self)) { entries[key] = entry.value }
        }
        tempo = try Self.number(entries, .tempo, in: Limits.tempo, LocalizedText("a whole number of beats a minute"))
        level = try Self.number(entries, .level, in: 1...4, LocalizedText("a whole number"))
        songName = try Self.text(entries[.songName], .songName, upTo: Limits.songBytes)
        guard !songName.isEmpty else {
            throw Failure(key: .songName, message: LocalizedText("it is empty. A session names its song."))
        }
        drums = try Self.flags(entries, .drums)
        guard drums.count == 4 else {
            throw Failure(
                key: .drums, message: LocalizedText("there are \(drums.count). The kit has 4 drums, each 1 or 0."))
        }
        beatSequence = try Self.flags(entries, .beatSequence)
        let beats = beatSequence.count { $0 }
        guard (1...Limits.beats).contains(beats) else {
            throw Failure(
                key: .beatSequence,
                message: LocalizedText("it has \(beats) beats. A song has between 1 and \(Limits.beats)."))
        }
        guard beatSequence.count <= tempo * Int(DrumSession.Limits.minutes) else {
            throw Failure(
                key: .beatSequence,
                message:
                    LocalizedText(
                        "its \(beatSequence.count) steps at \(tempo) a minute are more than \(DrumSession.Limits.minutes) minutes, and no song is longer."
                    )
            )
        }
        let hits = try Self.array(entries, .hitSequence)
        guard hits.count == beatSequence.count else {
            throw Failure(
                key: .hitSequence,
                message:
                    LocalizedText(
                        "it has \(hits.count) entries and beat_sequence has \(beatSequence.count). Both have one for each step."
                    )
            )
        }
        hitSequence = []
        hitSequence.reserveCapacity(hits.count)
        for (index, hit) in hits.enumerated() {
            hitSequence.append(try Self.text(hit, .hitSequence, upTo: Limits.hitBytes, entry: index))
        }
        let bytes = hitSequence.reduce(0) { $0 + $1.utf8.count }
        guard bytes <= Limits.allHitBytes else {
            throw Failure(
                key: .hitSequence,
                message: LocalizedText(
                    "its hits have \(bytes) bytes together. At most \(Limits.allHitBytes) are taken."))
        }
        date = try Self.time(entries)
    }

    /// Writes the session as a dictionary of a property list.
    func encode(to encoder: any Encoder) throws {
        var dictionary = encoder.container(keyedBy: Key.self)
        try dictionary.encode(tempo, forKey: .tempo)
        try dictionary.encode(level, forKey: .level)
        try dictionary.encode(songName, forKey: .songName)
        try dictionary.encode(drums.map { $0 ? 1 : 0 }, forKey: .drums)
        try dictionary.encode(beatSequence.map { $0 ? 1 : 0 }, forKey: .beatSequence)
        try dictionary.encode(hitSequence, forKey: .hitSequence)
        try dictionary.encode(Date(timeIntervalSince1970: Double(date) / 1_000), forKey: .date)
    }

    /// The session with its date to the second, as far as the XML form tells it.
    var toTheSecond: OriginalSession {
        var session = self
        session.date = Self.second(of: date)
        return session
    }

    /// The second in which a time lies, both in UTC milliseconds.
    static func second(of date: Int64) -> Int64 {
        date >= 0 ? date / 1_000 * 1_000 : -((-date + 999) / 1_000) * 1_000
    }

    private static var keys: String { Key.allCases.map(\.rawValue).joined(separator: ", ") }

    private static func value(_ entries: [Key: PropertyList], _ key: Key) throws(Failure) -> PropertyList {
        guard let value = entries[key] else {
            throw Failure(key: key, message: LocalizedText("it is missing. A session has the keys \(keys)."))
        }
        return value
    }

    /// A whole number, also as other programs write it: `<real>120.0</real>`, `<string>120</string>`, and a truth value for 1
    /// and 0.
    ///
    /// - Returns: nil for what is none.
    private static func whole(_ value: PropertyList) -> Int? {
        switch value {
        case .integer(let number): Int(exactly: number)
        case .real(let number): Int(exactly: number)
        case .boolean(let isTrue): isTrue ? 1 : 0
        case .text(let text): decimal(text[trimmedRange(text.span)].span).flatMap { Int(exactly: $0) }
        default: nil
        }
    }

    private static func number(
        _ entries: [Key: PropertyList], _ key: Key, in range: ClosedRange<Int>, _ what: LocalizedText
    )
        throws(Failure) -> Int
    {
        guard let number = whole(try value(entries, key)) else {
            throw Failure(
                key: key, message: LocalizedText("it is no whole number. It is \(what) from \(words(range))."))
        }
        guard range.contains(number) else {
            throw Failure(key: key, message: LocalizedText("it is \(number). It is \(what) from \(words(range))."))
        }
        return number
    }

    private static func words(_ range: ClosedRange<Int>) -> LocalizedText {
        LocalizedText("\(range.lowerBound) to \(range.upperBound)")
    }

    private static func array(_ entries: [Key: PropertyList], _ key: Key) throws(Failure) -> [PropertyList] {
        guard case .array(let array) = try value(entries, key) else {
            throw Failure(key: key, message: LocalizedText("it is no array."))
        }
        guard array.count <= Limits.steps else {
            throw Failure(
                key: key,
                message: LocalizedText("it has \(array.count) entries. No song has more than \(Limits.steps)."))
        }
        return array
    }

    private static func flags(_ entries: [Key: PropertyList], _ key: Key) throws(Failure) -> [Bool] {
        var flags: [Bool] = []
        for (index, value) in try array(entries, key).enumerated() {
            guard let number = whole(value), number == 0 || number == 1 else {
                throw Failure(key: key, message: LocalizedText("entry \(index + 1) is neither 0 nor 1."))
            }
            flags.append(number == 1)
        }
        return flags
    }

    private static func text(_ value: PropertyList?, _ key: Key, upTo limit: Int, entry: Int? = nil) throws(Failure)
        -> String
    {
        let which = entry.map { LocalizedText("entry \($0 + 1)") } ?? LocalizedText("it")
        guard let value else {
            throw Failure(key: key, message: LocalizedText("it is missing. A session has the keys \(keys)."))
        }
        guard case .text(let text) = value else {
            throw Failure(key: key, message: LocalizedText("\(which) is no text."))
        }
        guard text.count <= limit else {
            throw Failure(
                key: key, message: LocalizedText("\(which) has \(text.count) bytes. At most \(limit) are taken."))
        }
        return String(decoding: text, as: UTF8.self)
    }

    private static func time(_ entries: [Key: PropertyList]) throws(Failure) -> Int64 {
        let written: Int64?
        switch try value(entries, .date) {
        case .date(let date): written = date.milliseconds
        // As editors of property lists leave it that know no dates.
        case .text(let text):
            guard let time = iso8601Milliseconds(text[trimmedRange(text.span)].span) else {
                throw Failure(key: .date, message: LocalizedText("it is no date."))
            }
            written = time
        default: throw Failure(key: .date, message: LocalizedText("it is no date."))
        }
        guard let time = written, Limits.dates.contains(time) else {
            throw Failure(key: .date, message: LocalizedText("it is a date that no calendar has."))
        }
        return time
    }
}

extension PropertyListDate {
    /// UTC milliseconds; nil for a date that no calendar has, and for numbers that are no time.
    fileprivate var milliseconds: Int64? {
        switch self {
        case .seconds(let seconds):
            let date = Date(timeIntervalSinceReferenceDate: seconds)
            return Int64(exactly: (date.timeIntervalSince1970 * 1_000).rounded())
        case .fields(let year, let month, let day, let hour, let minute, let second):
            guard let date = CivilDate(year: Int(year), month: Int(month), dayOfMonth: Int(day)) else { return nil }
            let seconds = (Int64(hour) * 60 + Int64(minute)) * 60 + Int64(second)
            return Int64(date.day) * 86_400_000 + seconds * 1_000
        }
    }
}
