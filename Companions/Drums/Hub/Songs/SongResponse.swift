import DrumsEngine
import Foundation
import Localization

/// A song as routes, the overview and commands tell it.
struct SongResponse: Codable, Sendable {
    enum Sound: String, Codable, Sendable, CaseIterable { case notes, audio }
    /// The beats of one level.
    struct LevelResponse: Codable, Sendable {
        var level: Int
        /// The number of beats to be hit, and that of the steps.
        var beats, steps: Int
        var stepsPerBeat: Int
    }

    /// The family's own recording.
    struct AudioResponse: Codable, Sendable {
        var path: String
        var type: String
        var bytes: Int
        /// The place in it where the song begins; nil while nobody has tapped.
        var offsetMilliseconds: Int32?
        /// The length of the recording; nil while no browser has said.
        var milliseconds: Int64?
    }

    var id: String
    var title, composer, source: String
    var year: Int?
    /// The part of its file that was left out when it was added, in words; nil for a file that was understood whole.
    var leftOut: String?
    /// Whether it comes with Tandem.
    var isLibrary: Bool
    /// Notes that the page plays, or a recording.
    var sound: Sound
    /// The beats a minute at the beginning, to a tenth; this and what follows is nil while it cannot be played.
    var tempo: Double?
    var microsecondsPerBeat: UInt32?
    var beatsPerBar, upbeatBeats, beats: Int?
    var milliseconds: Int64?
    var minutes: Double?
    /// The levels 1 to 4, or none.
    var levels: [LevelResponse]
    /// The song in the engine's codec.
    var bytes: Data?
    var hasAudio: Bool
    var audio: AudioResponse?
    var createdAt: Int64?

    init(_ song: Song, isLibrary: Bool) {
        id = String(decoding: song.id, as: UTF8.self)
        title = String(decoding: song.title, as: UTF8.self)
        composer = String(decoding: song.composer, as: UTF8.self)
        source = String(decoding: song.source, as: UTF8.self)
        year = song.year > 0 ? Int(song.year) : nil
        self.isLibrary = isLibrary
        hasAudio = song.sound == .audio
        sound = hasAudio ? .audio : .notes
        levels = []
        play(song)
    }

    init(_ record: SongRecord) {
        id = record.id
        title = record.title
        (composer, source) = ("", "")
        isLibrary = false
        hasAudio = record.isRecording
        sound = hasAudio ? .audio : .notes
        levels = []
        createdAt = record.createdAt
        let song = record.song
        if let song {
            composer = String(decoding: song.composer, as: UTF8.self)
            source = String(decoding: song.source, as: UTF8.self)
            year = song.year > 0 ? Int(song.year) : nil
            play(song)
        }
        if let type = record.audioType {
            audio = AudioResponse(
                path: "/api/drums/songs/\(record.id)/audio", type: type, bytes: record.audioBytes ?? 0,
                offsetMilliseconds: song?.audioOffsetMilliseconds, milliseconds: record.audioMilliseconds)
        }
    }

    /// The song with its title, its composer and its source in the language of the reader. The composer of a song that comes with
    /// Tandem is a country's tradition, where it is nobody's. Such songs are made once, in English, by which a sentence is found
    /// in the catalog.
    func localized(_ localized: Localizer) -> SongResponse {
        guard isLibrary else { return self }
        var song = self
        song.title = localized.songTitle(id, or: title)
        song.composer = localized(LocalizedText.Sentence(stringLiteral: composer))
        song.source = localized(LocalizedText.Sentence(stringLiteral: source))
        return song
    }

    /// Takes over the facts of the song that is played.
    private mutating func play(_ song: Song) {
        microsecondsPerBeat = song.tempo.first?.microsecondsPerBeat
        tempo = microsecondsPerBeat.map { (600_000_000 / Double($0)).rounded() / 10 }
        (beatsPerBar, upbeatBeats, beats) = (Int(song.beatsPerBar), Int(song.upbeatBeats), Int(song.beats))
        milliseconds = song.milliseconds
        minutes = (Double(song.milliseconds) / 6_000).rounded() / 10
        levels = Level.allCases.map { level in
            let chart = song.chart(level)
            return LevelResponse(
                level: Int(level.rawValue), beats: chart.steps.count { $0 }, steps: chart.steps.count,
                stepsPerBeat: Int(chart.stepsPerBeat))
        }
        bytes = Data(song.encoded())
    }
}
