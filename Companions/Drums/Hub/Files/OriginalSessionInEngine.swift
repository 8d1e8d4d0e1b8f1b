import DrumsEngine
import Foundation
import HubKit
import Storage

extension OriginalSession {
    /// The engine's session of these beats, the same bytes for the same file and person.
    ///
    /// The original keeps no times but the reactions, so the song is played again as it was: it moves at its tempo, and
    /// stops where the next beat comes before the answer.
    ///
    /// - Throws: a `SessionCodecError` for what the engine cannot play.
    func session(of person: PersonRecord, utcOffsetMinutes: Int16) throws(SessionCodecError) -> DrumSession {
        let chart = chart
        let setup = SessionSetup(
            id: identifier(of: person.id), person: Array(person.id.utf8), utcOffsetMinutes: utcOffsetMinutes,
            songID: Self.songID(of: songName), songTitle: Array(songName.utf8), chart: chart,
            level: Level(rawValue: UInt8(clamping: level)) ?? .one, mode: .wait, hands: .both,
            drums: DrumSet(
                rawValue: drums.enumerated().reduce(0) { $0 | ($1.element ? 1 << UInt8($1.offset) : 0) }),
            seed: 0, link: .imported, countInBeats: 0,
            window: .initial,
            leadMilliseconds: SessionRules.usualLead, stop: StopRules())
        var beats: [DrumSession.ImportedBeat] = []
        // How far the song is behind itself because it waited.
        var late: Int64 = 0
        var answered: Int64 = 0
        for (step, hit) in hitSequence.enumerated() where !hit.isEmpty {
            let due = chart.positionMicroseconds(ofStep: step) + late
            let text = Array(hit.utf8)
            guard beatSequence[step] else {
                // Nothing waited for it, and its reaction is to a light of another song.
                answered = max(due, answered)
                beats.append(DrumSession.ImportedBeat(step: step, text: text, atMicroseconds: answered))
                continue
            }
            if answered > due { late += answered - due }
            let reaction = KitMessage(text: text).map { Int64($0.milliseconds) * 1_000 } ?? 0
            answered = max(due, answered) + reaction
            beats.append(DrumSession.ImportedBeat(step: step, text: text, atMicroseconds: answered))
        }
        return try DrumSession.imported(setup, wall: date, beats: beats)
    }

    /// The song in the engine's form. The engine takes at most 600 beats a minute, so that a faster song has four steps
    /// a beat.
    private var chart: Chart {
        let stepsPerBeat: UInt8 = tempo > 600 ? 4 : 1
        let beat = (60_000_000 * Int(stepsPerBeat) + tempo / 2) / tempo
        return Chart(
            stepsPerBeat: stepsPerBeat,
            tempo: [TempoChange(step: 0, microsecondsPerBeat: UInt32(clamping: beat))], steps: beatSequence)
    }

    /// An identifier of 16 bytes that are this person's and this content's, so that a file can come twice.
    func identifier(of person: String) -> [UInt8] {
        var parts = ["tandem sessiondata.plist 1", person, "\(tempo)", "\(level)", "\(date)", songName]
        parts.append(drums.map { $0 ? "1" : "0" }.joined())
        parts.append(beatSequence.map { $0 ? "1" : "0" }.joined())
        return SessionOrigin.identifier(of: parts + hitSequence, count: DrumSession.Limits.id)
    }

    /// A song of the original is known by its name alone.
    private static func songID(of name: String) -> [UInt8] {
        let words = name.lowercased().utf8.split { byte in
            !(UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
                && !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
        }
        let joined = Array(words.joined(separator: [UInt8(ascii: "-")]).prefix(DrumSession.Limits.songID.upperBound))
        return joined.isEmpty ? Array("original".utf8) : joined
    }

    /// A session as the original would have kept it. One that was imported is what it was; of others, beats that nobody
    /// answered have no hit, and the tempo is that of the steps at the beginning, for the original knows no other.
    init(_ session: DrumSession) {
        let (setup, result) = (session.setup, session.result)
        let first = Double(setup.chart.tempo.first?.microsecondsPerBeat ?? 500_000)
        tempo = Int((60_000_000 * Double(setup.chart.stepsPerBeat) / first).rounded())
        level = Int(setup.level.rawValue)
        // No session of the original is without a name.
        songName = setup.songTitle.isEmpty ? "Untitled" : String(decoding: setup.songTitle, as: UTF8.self)
        drums = Drum.allCases.map { setup.drums.contains($0) }
        beatSequence = setup.chart.steps
        hitSequence = Array(repeating: "", count: setup.chart.steps.count)
        date = result.startedAt
        if setup.link == .imported {
            for event in session.events {
                if case .imported(let step, let text) = event.input, hitSequence.indices.contains(step) {
                    hitSequence[step] = String(decoding: text, as: UTF8.self)
                }
            }
        } else {
            for beat in result.beats where hitSequence.indices.contains(beat.step) {
                hitSequence[beat.step] = Self.hit(beat)
            }
        }
    }

    /// The answer to a beat in the words of the kit: the wrong drums, the right one, milliseconds, force.
    private static func hit(_ beat: BeatResult) -> String {
        guard let measured = beat.reactionMilliseconds else { return "" }
        // A page's clock goes on where the kit's has no more digits.
        let reaction = min(measured, SessionRules.longestReaction)
        // What the original never sends is not exported in its format: a message has room for so many drums.
        let wrong = beat.wrong.prefix(64).map { "\($0.rawValue) " }.joined()
        let force = beat.forceHundredths.map { number in
            "\(number / 100).\(number % 100 < 10 ? "0" : "")\(number % 100)"
        }
        return "\(wrong)\(beat.drum.rawValue) \(reaction) \(force ?? "-1.00")"
    }
}
