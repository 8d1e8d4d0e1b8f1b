import ArgumentParser
import Foundation
import GRDB
import HubKit
import Storage

/// `tandem import song`
struct ImportSongCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "song", abstract: "Adds a song from a MIDI file, or from text.",
        discussion: """
            A Standard MIDI File of type 0 or 1, or a song written as text. The tune, the tempo and three levels are made \
            of it as docs/songs.md says. It may run while the hub does.

            Examples:
              tandem import song "Happy walk.mid" --data ./data
              tandem import song lullaby.txt --title Lullaby --data ./data --json
            """)

    @Argument(help: "The file.")
    var file: String

    @Option(help: "What to call the song, instead of what the file says.")
    var title: String?

    @Option(help: "The hub’s data folder.")
    var data = "./data"

    @Flag(help: "Prints the song as the API tells it.")
    var json = false

    func run() throws {
        // A bomb is not read into memory to find that it is one.
        guard let handle = FileHandle(forReadingAtPath: file),
            let content = try? handle.read(upToCount: ImportedSong.longest + 1)
        else {
            throw Self.refusal("\(file) cannot be read. Check its name and that it is yours to read.", code: 66)
        }
        let song: ImportedSong
        do throws(ImportedSong.Refusal) {
            song = try ImportedSong(Array(content), name: file, title: title)
        } catch {
            throw Self.refusal("\(file) is no song that can be played. \(error.words) Nothing was changed.", code: 65)
        }
        let record = try add(song)
        let reply = SongReply(record)
        if json {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
            FileHandle.standardOutput.write(try encoder.encode(reply) + Data("\n".utf8))
        } else {
            let levels = reply.levels.map { "level \($0.level): \($0.beats) beats" }.joined(separator: ", ")
            print("“\(reply.title)” is there to be played, at \(reply.tempo ?? 0) beats a minute. \(levels).")
        }
    }

    private func add(_ song: ImportedSong) throws -> SongRecord {
        let database = try HubDatabase.ofHub(in: data)
        defer { try? database.close() }
        do {
            return try database.pool.write { db in
                guard let household = try HouseholdRecord.fetchOne(db)?.id else { throw NoHousehold() }
                return try song.add(household: household, by: nil, now: HubClock.system.now(), db)
            }
        } catch let problem as Problem {
            throw Self.refusal("\(problem.detail) Nothing was changed.", code: 65)
        }
    }

    /// Says on standard error why the command ends. The code is one of sysexits.h.
    private static func refusal(_ reason: String, code: Int32) -> ExitCode {
        FileHandle.standardError.write(Data("Error: \(reason)\n".utf8))
        return ExitCode(code)
    }
}
