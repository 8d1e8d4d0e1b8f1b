import DrumsEngine
import Testing

@testable import DrumsHub

@Suite("The songs that come with Tandem")
struct SongLibraryTests {
    @Test("Every bar of every song is as long as its metre says", arguments: SongLibrary.texts.map(\.id))
    func reads(id: String) throws {
        let entry = try #require(SongLibrary.texts.first { $0.id == id })
        // The parser counts each bar.
        let song = try Song.fromText(entry.text, id: Array(id.utf8))
        #expect((20_000...120_000).contains(song.milliseconds), "\(song.milliseconds) ms")
        #expect(song.notes.allSatisfy { (52...84).contains($0.pitch) })
    }

    @Test("There are at least twelve, each under a name of its own, with somebody to thank and why it is free")
    func library() {
        #expect(SongLibrary.songs.count == SongLibrary.texts.count && SongLibrary.songs.count >= 12)
        #expect(Set(SongLibrary.texts.map(\.id)).count == SongLibrary.texts.count)
        for response in SongLibrary.responses {
            #expect(!response.composer.isEmpty && !response.source.isEmpty, "\(response.id)")
            #expect(response.year.map { $0 < 1900 } == true, "\(response.id)")
        }
    }

    @Test("Each has four levels that ask for more and more", arguments: SongLibrary.responses.map(\.id))
    func levels(id: String) throws {
        let response = try #require(SongLibrary.responses.first { $0.id == id })
        let beats = response.levels.map(\.beats)
        #expect(beats.count == 4 && zip(beats, beats.dropFirst()).allSatisfy { $0 < $1 }, "\(beats)")
        #expect(beats[0] >= 12)
    }

    @Test("Melodies are the right ones: the first notes of each, as half steps from one to the next")
    func melodies() {
        // Of what everybody can hum, so that a slip of the pen in a file is found.
        let contours: [String: [Int]] = [
            "ode-to-joy": [0, 1, 2, 0, -2, -1, -2, -2, 0, 2, 2],
            "twinkle-twinkle": [0, 7, 0, 2, 0, -2, -2, 0, -1, 0, -2, 0, -2],
            "frere-jacques": [2, 2, -4, 0, 2, 2, -4, 4, 1, 2],
            "au-clair-de-la-lune": [0, 0, 2, 2, -2, -2, 4, -2, 0, -2],
            "london-bridge": [2, -2, -2, -1, 1, 2, -5, 2, 1, -1, 1, 2],
            "mary-had-a-little-lamb": [-2, -2, 2, 2, 0, 0, -2, 0, 0, 2, 3, 0],
            "row-your-boat": [0, 0, 2, 2, 0, -2, 2, 1, 2, 5],
            "jingle-bells": [0, 0, 0, 0, 0, 0, 3, -7, 2, 2],
            "when-the-saints": [4, 1, 2, -7, 4, 1, 2],
            "oh-susanna": [2, 2, 3, 0, 2, -2, -3, -4, 2, 2, 0, -2, -2, 2],
            "yankee-doodle": [0, 2, 2, -4, 4, -2, -2, 0, 2, 2, -4, -1],
            "brahms-lullaby": [0, 3, -3, 0, 3, -3, 3, 5, -1, -2, 0, -2],
            "silent-night": [2, -2, -3, 3, 2, -2, -3, 10, 0, -3, 1, 0, -5],
            "auld-lang-syne": [5, 0, 0, 4, -2, -2, 2, 2, -4, 0, 4, 3, 2],
            "greensleeves": [3, 2, 2, 1, -1, -2, -3, -4, 2, 2, 1, -3, 0, -1, 1, 2, -3, -4],
            "hot-cross-buns": [-2, -2, 4, -2, -2, 0, 0, 0, 0, 2],
            "lightly-row": [-3, 0, 1, -3, 0, -2, 2, 2, 1, 2, 0, 0, 0, -3, 0, 1, -3, 0, -2, 4, 3, 0, -3],
        ]
        for song in SongLibrary.songs {
            let id = String(decoding: song.id, as: UTF8.self)
            let pitches = song.notes.map { Int($0.pitch) }
            let contour = zip(pitches, pitches.dropFirst()).map { $1 - $0 }
            #expect(contours[id] != nil, "\(id) has no contour here")
            #expect(Array(contour.prefix(contours[id]?.count ?? 0)) == contours[id], "\(id)")
        }
    }
}
