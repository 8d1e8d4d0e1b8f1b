import DrumsEngine
import GRDB
import HubKit
import Localization
import Storage

/// The changes that a request makes to somebody's settings. Fields that are left out stay.
struct SettingsInput: Decodable, Sendable {
    struct Sounds: Decodable, Sendable { var song, metronome, hits: Bool? }

    var drums: [Bool]?
    var level, tempoPercent: Int?
    var mode, hands, link: String?
    /// The affected side and the device; `.some(nil)` says that there is none.
    var affectedSide, device: String??
    var countIn: Int?
    var sounds: Sounds?

    private enum CodingKeys: CodingKey {
        case drums, level, mode, hands, link, affectedSide, device, countIn, sounds, tempoPercent
    }

    init(from decoder: any Decoder) throws {
        let body = try decoder.container(keyedBy: CodingKeys.self)
        drums = try body.decodeIfPresent([Bool].self, forKey: .drums)
        level = try body.decodeIfPresent(Int.self, forKey: .level)
        tempoPercent = try body.decodeIfPresent(Int.self, forKey: .tempoPercent)
        mode = try body.decodeIfPresent(String.self, forKey: .mode)
        hands = try body.decodeIfPresent(String.self, forKey: .hands)
        link = try body.decodeIfPresent(String.self, forKey: .link)
        countIn = try body.decodeIfPresent(Int.self, forKey: .countIn)
        sounds = try body.decodeIfPresent(Sounds.self, forKey: .sounds)
        if body.contains(.affectedSide) {
            affectedSide = .some(try body.decodeIfPresent(String.self, forKey: .affectedSide))
        }
        if body.contains(.device) { device = .some(try body.decodeIfPresent(String.self, forKey: .device)) }
    }

    /// Puts what was decided into somebody's settings.
    ///
    /// - Throws: a 422 problem for what cannot be taken.
    func apply(to settings: inout PracticeSettings, _ db: Database) throws {
        if let drums { settings.drums = try DrumSet(flags: drums).rawValue }
        if let level { settings.level = try Self.level(level) }
        if let tempoPercent { settings.tempoPercent = try Self.tempo(tempoPercent) }
        if let mode {
            settings.mode = try Self.choice(
                mode, of: [.wait, .flow], "mode", LocalizedText("A song is played in mode"))
        }
        if let hands {
            settings.hands = try Self.choice(
                hands, of: [.both, .left, .right], "hands", LocalizedText("A song is played with hands"))
        }
        if let affectedSide {
            settings.affectedSide = try affectedSide.map {
                try Self.choice(
                    $0, of: SideName.allCases, "affectedSide", LocalizedText("The side that practice is for is"))
            }
        }
        if let countIn {
            guard PracticeSettings.countInChoices.contains(countIn) else {
                throw Problem.field("countIn", "Between no beats and eight are counted before a song.")
            }
            settings.countIn = countIn
        }
        if let song = sounds?.song { settings.hasSong = song }
        if let metronome = sounds?.metronome { settings.hasMetronome = metronome }
        if let hits = sounds?.hits { settings.hasHits = hits }
        if let link { settings.link = try Self.link(link) }
        if let device { settings.device = try device.map { try Self.kit($0, of: settings.household, db) } }
    }

    static func level(_ level: Int) throws -> Int {
        guard (1...4).contains(level) else { throw Problem.field("level", "There are the levels 1, 2, 3 and 4.") }
        return level
    }

    /// The least and the most percent of a song's own tempo.
    static let tempoChoices = Int(SessionRules.tempoPercent.lowerBound)...Int(SessionRules.tempoPercent.upperBound)

    static func tempo(_ percent: Int) throws -> Int {
        guard tempoChoices.contains(percent) else {
            throw Problem.field(
                "tempoPercent",
                "A song is played at \(tempoChoices.lowerBound) to \(tempoChoices.upperBound) percent of its own tempo. 100 is as it is written."
            )
        }
        return percent
    }

    /// A link that somebody plays with: what was imported was played elsewhere.
    static func link(_ name: String, field: String = "link") throws -> LinkKind.Name {
        try choice(
            name, of: [.screen, .keyboard, .bluetooth, .wifi, .midi, .bluetoothMIDI], field,
            LocalizedText("Pads are joined by"))
    }

    private static func choice<Choice: RawRepresentable<String>>(
        _ name: String, of choices: [Choice], _ field: String, _ words: LocalizedText
    ) throws -> Choice {
        guard let choice = choices.first(where: { $0.rawValue == name }) else {
            let names = choices.map(\.rawValue)
            throw Problem.field(
                field,
                "\(words) \(names.dropLast().joined(separator: ", ")) or \(names.last ?? ""), not “\(String(name.prefix(40)))”."
            )
        }
        return choice
    }

    /// A kit of the household.
    private static func kit(_ id: String, of household: String, _ db: Database) throws -> String {
        guard let device = try DeviceRecord.fetchOne(db, key: id), device.household == household,
            device.kind == Drums.kitKind, device.removedAt == nil
        else { throw Problem.field("device", "There is no such kit in this household. It may have been removed.") }
        return id
    }
}

/// The latency that tapping along found, as the engine of a page computed it.
struct LatencyInput: Decodable, Sendable {
    var tenths, lowerTenths, upperTenths: Int
    var taps: Int

    /// Checks the input, and makes the latency.
    ///
    /// - Parameter signIn: of the device that was tapped on.
    /// - Throws: a 422 problem for what no calibration can have found.
    func checked(link: LinkKind.Name, of subject: Subject, signIn: String) throws -> LinkLatency {
        guard (TapCalibration.leastTaps...TapCalibration.mostTaps).contains(taps) else {
            throw Problem.field(
                "taps",
                "A calibration is of \(TapCalibration.leastTaps.spelled) to \(TapCalibration.mostTaps) taps. Tap on."
            )
        }
        guard lowerTenths <= tenths, tenths <= upperTenths else {
            throw Problem.field("tenths", "The median lies between the quartiles. Tap again.")
        }
        guard let least = Int32(exactly: lowerTenths), let middle = Int32(exactly: tenths),
            let most = Int32(exactly: upperTenths), LinkLatency.range.contains(middle)
        else {
            throw Problem.field("tenths", "A link takes less than half a second. Tap again, along with the clicks.")
        }
        guard Int64(most) - Int64(least) <= Int64(TapCalibration.widestSpreadTenths) else {
            throw Problem.field(
                "upperTenths",
                "The taps lie too far apart to say how long the link takes. Tap again, along with the clicks."
            )
        }
        return LinkLatency(
            person: subject.person.id, link: link, signIn: signIn, household: subject.household.id, tenths: middle,
            lowerTenths: least,
            upperTenths: most, taps: taps, measuredAt: subject.now)
    }
}
