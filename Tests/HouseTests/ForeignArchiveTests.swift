import Archive
import Foundation
import GRDB
import Storage
import TestInstruments
import Testing

@testable import HubKit
@testable import HubServer

/// Archives that somebody has changed by hand.
extension ArchiveTests {
    @Test(
        "A value of another type than its column is refused by the column’s name, an identifier that is no text too",
        arguments: [
            ("data/drums_song.jsonl", "\"id\":\"song1\"", "\"id\":5", "id"),
            ("data/drums_song.jsonl", "\"id\":\"song1\"", "\"id\":{\"base64\":\"Li4veA==\"}", "id"),
            ("data/drums_song.jsonl", "\"audio_bytes\":16", "\"audio_bytes\":\"16\"", "audio_bytes"),
            ("data/drums_song.jsonl", "\"audio_bytes\":16", "\"audio_bytes\":16.5", "audio_bytes"),
            ("data/plant_care.jsonl", "\"what\":\"note\"", "\"what\":{\"base64\":\"bm90ZQ==\"}", "what"),
            ("data/person.jsonl", "\"role\":\"adult\"", "\"role\":1", "role"),
        ])
    func otherTypes(name: String, old: String, new: String, column: String) throws {
        try replace(name) { text in
            #expect(text.contains(old))
            return text.replacing(old, with: new, maxReplacements: 1)
        }
        #expect(refusal() == .otherType(file, file: name, column: column))
        #expect(try FileManager.default.contentsOfDirectory(atPath: place.path + "/other") == [])
    }

    @Test("A password that somebody has put into an archive is nobody’s")
    func foreignPassword() async throws {
        try replace("data/person.jsonl") {
            $0.replacing("\"password\":null", with: "\"password\":{\"base64\":\"AAAA\"}")
        }
        let (database, _) = try imported()
        let count = try await database.pool.read { db in
            try Int.fetchOne(db, sql: "SELECT count(*) FROM person WHERE password IS NOT NULL")
        }
        #expect(count == 0)
        try database.close()
    }

    @Test("A table that is named twice is damage, and so is a highest number after which none is given")
    func twice() throws {
        let manifest = "archive.json"
        try replace(manifest) { text in
            // Of two adjacent tables the second gets the name of the first.
            let names = text.matches(of: #/"name" : "([a-z_]+)",\n +"rows"/#).map { String($0.1) }
            return text.replacing("\"name\" : \"\(names[1])\"", with: "\"name\" : \"\(names[0])\"", maxReplacements: 1)
        }
        #expect(refusal() == .damaged(file, file: manifest))
        try replace(manifest) { text in
            #expect(text.contains(#/"sequence" : [0-9]+/#))
            return text.replacing(#/"sequence" : [0-9]+/#, with: "\"sequence\" : 9223372036854775807")
        }
        #expect(refusal() == .damaged(file, file: manifest))
    }

    /// The mode stands in the upper half of the external attributes of a file from Unix (PKWARE's APPNOTE.TXT, 4.4.2, 4.4.15;
    /// the types are those of stat(2)).
    @Test(
        "A link, a device, a pipe or a folder in the place of a file is refused in words",
        arguments: [0o120_777, 0o020_666, 0o060_660, 0o010_644, 0o140_755, 0o040_755] as [UInt32])
    func specialFile(mode: UInt32) throws {
        try export()
        var bytes = try Data(contentsOf: URL(filePath: file))
        // The directory's header of a file has 46 bytes before its name.
        var entry = try #require(bytes.range(of: Data("drums/recordings/".utf8), options: .backwards)).lowerBound - 46
        #expect(bytes[entry..<entry + 4] == Data([0x50, 0x4B, 0x01, 0x02]))
        entry += 5
        bytes[entry] = 3
        for index in 0..<4 {
            bytes[entry + 33 + index] = UInt8(truncatingIfNeeded: (mode << 16) >> (8 * UInt32(index)))
        }
        try bytes.write(to: URL(filePath: file))
        guard case .special(file, let at) = try #require(refusal()) else { return #expect(Bool(false)) }
        #expect(at.hasPrefix("drums/recordings/"))
        #expect("\(ArchiveError.special(file, file: at))".contains("link, a folder or a device"))
    }
}
