import DrumsEngine
import GRDB
import HubKit
import Localization
import Storage

/// The settings of one person's practice.
struct PracticeSettings: Storage.TableRecord {
    static let databaseTableName = "drums_settings"
    /// The numbers of beats that can be counted before a song.
    static let countInChoices = 0...8

    var person: String
    var household: String
    /// The ``DrumSet/rawValue`` of the drums that may be asked for.
    var drums = DrumSet.all.rawValue
    /// The number of the ``Level``, 1 to 4.
    var level = 1
    var mode = PlayMode.Name.wait
    var hands = Hands.Name.both
    /// The side that practice is for; nil while nobody has said.
    var affectedSide: SideName?
    var countIn = 4
    /// The tempo in percent of a song's own, ``SessionRules/tempoPercent``.
    var tempoPercent = Int(SessionRules.ownTempo)
    /// The song itself, a metronome, and a sound for each hit.
    var hasSong = true
    var hasMetronome = false
    var hasHits = true
    var link = LinkKind.Name.screen
    /// The kit in the network that is used; nil for none.
    var device: String?

    /// Makes the settings that hold until somebody decides something: the original's drums and level.
    init(of person: PersonRecord) {
        self.person = person.id
        household = person.household
    }

    /// The person's settings, or those that hold until there are any.
    static func of(_ person: PersonRecord, _ db: Database) throws -> PracticeSettings {
        try fetchOne(db, key: person.id) ?? PracticeSettings(of: person)
    }

    /// The drums that may be asked for.
    var drumSet: DrumSet { DrumSet(rawValue: drums) }
}

/// A side in the database and in JSON.
enum SideName: String, Codable, Sendable, CaseIterable {
    case left, right

    var side: Side { self == .left ? .left : .right }
    var other: SideName { self == .left ? .right : .left }
    /// The side as a heading says it, such as `Left`.
    var title: LocalizedText { self == .left ? LocalizedText("Left") : LocalizedText("Right") }
    /// The side within a sentence, such as `left`.
    var word: LocalizedText { self == .left ? LocalizedText("left") : LocalizedText("right") }
}

extension DrumSet {
    /// The drums as routes write them: red, orange, blue, yellow.
    var flags: [Bool] { Drum.allCases.map(contains) }

    /// Reads the drums from a request.
    ///
    /// - Throws: a 422 problem for anything but four of them, or none that is on.
    init(flags: [Bool], field: String = "drums") throws {
        guard flags.count == Drum.allCases.count else {
            throw Problem.field(field, "There are four drums: red, orange, blue and yellow, each true or false.")
        }
        guard flags.contains(true) else {
            throw Problem.field(field, "At least one drum has to be on: there would be nothing to hit.")
        }
        self.init(rawValue: zip(Drum.allCases, flags).reduce(0) { $1.1 ? $0 | 1 << $1.0.rawValue : $0 })
    }

    /// The drums in words, such as `all four drums`, `the red drum` or `the red, orange and yellow drums`.
    var words: LocalizedText {
        let drums = Drum.allCases.filter(contains)
        switch drums.count {
        case 0: return LocalizedText("no drum")
        case 4: return LocalizedText("all four drums")
        default: return LocalizedText("the \(list: drums.map(\.word)) drums")
        }
    }
}

extension Drum {
    /// The drum's colour, before the word drum.
    var word: LocalizedText {
        switch self {
        case .red: LocalizedText("red")
        case .orange: LocalizedText("orange")
        case .blue: LocalizedText("blue")
        case .yellow: LocalizedText("yellow")
        }
    }
}

/// The latency of a link on one device, found by tapping along. Each device has its own, because the speed of a screen
/// or a cable is that device's. A page plays with what was found on itself, and the hub keeps it to be seen.
struct LinkLatency: Storage.TableRecord {
    static let databaseTableName = "drums_latency"
    /// The range of latencies, tenths of milliseconds: a screen of half a second is broken, and a person who is as
    /// early was not with the click.
    static let range: ClosedRange<Int32> = -2_000...5_000

    var person: String
    var link: LinkKind.Name
    /// The sign-in of the device: with it, its values go.
    var signIn: String
    var household: String
    /// The median and the quartiles, tenths of milliseconds.
    var tenths: Int32
    var lowerTenths: Int32
    var upperTenths: Int32
    var taps: Int
    /// UTC milliseconds.
    var measuredAt: Int64

    /// A latency with the name by which the device calls itself.
    struct Found: Sendable {
        var latency: LinkLatency
        var agent: String
    }

    /// The latencies of a person, in the order of the links' names, the newest first.
    static func all(of person: String, _ db: Database) throws -> [Found] {
        try Row.fetchAll(
            db,
            cached: """
                SELECT l.*, s.agent FROM drums_latency l JOIN sign_in s ON s.id = l.sign_in
                WHERE l.person = ? ORDER BY l.link, l.measured_at DESC, l.sign_in
                """, arguments: [person]
        ).map { Found(latency: try LinkLatency(row: $0), agent: $0["agent"]) }
    }

    /// The latency in words, such as `85 ms, median of 20 taps, half between 70 and 99`.
    func words(in localized: Localizer) -> String {
        func whole(_ tenths: Int32) -> Int { Int((Double(tenths) / 10).rounded()) }
        return localized(
            "\(whole(tenths)) ms, median of \(taps) taps, half between \(whole(lowerTenths)) and \(whole(upperTenths))")
    }
}
