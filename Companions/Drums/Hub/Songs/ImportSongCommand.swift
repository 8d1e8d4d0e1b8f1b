import ArgumentParser
import ClientKit
import DrumsEngine
import Foundation
import GRDB
import HubKit
import Storage

/// `tandem import song`
struct ImportSongCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "song", abstract: "Adds a song from a MIDI file, or from text.",
        discussion: """
            A Standard MIDI File of type 0 or 1, or a song written as text. The tune, the tempo and four levels are made \
            of it as the page Songs of the documentation says. It may run while the hub does.

            Examples:
              tandem import song "Happy walk.mid" --data ./data
              tandem import song lullaby.txt --title Lullaby --data ./data --json
            """)

    @Argument(help: "The file.")
    var file: String

    @Option(help: "What to call the song, instead of what the file says.")
    var title: String?

    @OptionGroup var data: DataOption

    @Flag(help: "Prints the song as the API tells it.")
    var json = false

    func run() throws {
        let song: ImportedSong
        do {
            // A bomb is not read into memory to find that it is one.
            song = try ImportedSong(
                try CommandFile.read(file, upTo: ImportedSong.longest), name: file, title: title)
        } catch let failure as CommandFile.Failure {
            // What is so large is a recording, as a rule.
            let recording =
                failure == .tooLarge(limit: ImportedSong.longest)
                ? " A recording is added in the page, under “Your own recording”." : ""
            throw ExitCode.saying("\(file) \(failure.message)\(recording) Nothing was changed.", code: failure.code)
        } catch let rejection as ImportedSong.Rejection {
            throw ExitCode.saying(
                "\(file) is no song that can be played. \(rejection.message.english) Nothing was changed.", code: 65)
        }
        if let leftOut = song.leftOut { CommandOutput.say(leftOut.english) }
        let record = try add(song)
        let response = SongResponse(record)
        if json {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
            FileHandle.standardOutput.write(try encoder.encode(response) + Data("\n".utf8))
        } else {
            let levels = response.levels.map { "\(Level.title($0.level).english) has \($0.beats) beats" }.joined(
                separator: ", ")
            let style = FloatingPointFormatStyle<Double>.number.precision(.fractionLength(0...1))
            let tempo = (response.tempo ?? 0).formatted(style.locale(Locale(identifier: "en")))
            print("“\(response.title)” is there to be played, at \(tempo) beats a minute: \(levels).")
        }
    }

    private func add(_ song: ImportedSong) throws -> SongRecord {
        let database = try data.database()
        defer { try? database.close() }
        do {
            return try database.pool.write { db in
                guard let household = try HouseholdRecord.fetchOne(db)?.id else { throw NoHousehold() }
                return try song.add(household: household, by: nil, now: HubClock.system.now(), db)
            }
        } catch let problem as Problem {
            throw ExitCode.saying(Self.words(problem), code: 65)
        }
    }

    /// The words in a terminal about a song that the hub does not take.
    static func words(_ problem: Problem) -> String { "\(problem.detail.english) Nothing was changed." }
}
