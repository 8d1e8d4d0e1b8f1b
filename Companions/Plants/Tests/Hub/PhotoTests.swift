import Foundation
import GRDB
import HubInstruments
import HubKit
import Storage
import Testing

@testable import PlantsHub

@Suite("Pictures of a plant")
struct PhotoTests {
    private let app: PlantsTestApp
    /// The frames of pictures: what is drawn by them is the browser's business.
    static let jpeg: [UInt8] =
        [0xff, 0xd8, 0xff, 0xdb, 0, 197] + (0..<3).flatMap { [$0] + Array(repeating: 7, count: 64) }
        + [0xff, 0xc0, 0, 11, 8, 0, 1, 0, 1, 1, 1, 0x11, 0, 0xff, 0xd9]
    private static let png: [UInt8] = [
        0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a,
        0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52, 0, 0, 0, 1, 0, 0, 0, 1, 8, 0, 0, 0, 0, 1, 2, 3, 4,  // IHDR
        0, 0, 0, 0, 0x49, 0x45, 0x4e, 0x44, 0xae, 0x42, 0x60, 0x82,  // IEND
    ]
    private static let webp: [UInt8] =
        Array("RIFF".utf8) + [14, 0, 0, 0] + Array("WEBPVP8 ".utf8) + [2, 0, 0, 0, 1, 2]

    init() async throws { app = try await PlantsTestApp() }

    @Test(
        "A picture is an entry of the log, with its words, and comes back as it was",
        arguments: [
            (jpeg, "image/jpeg"),
            (png, "image/png"),
            (webp, "image/webp"),
        ] as [([UInt8], String)])
    func stored(bytes: [UInt8], media: String) async throws {
        let plant = try await app.plant()
        let path = "/api/plants/\(plant.id)"
        let words = Array("First leaf".utf8)
        let made = try await app.send(.post, "\(path)/photos?noteBytes=\(words.count)", bytes: words + bytes)
        #expect(made.status == 201)
        #expect(made["note"] as? String == "First leaf")
        #expect(made["photo"] as? Bool == true)
        let entry = try #require(made["id"] as? String)
        let got = try await app.send(.get, "\(path)/photos/\(entry)")
        #expect(got.status == 200)
        #expect(got.headers[.contentType] == media)
        #expect(got.bytes == bytes)
        // Taken back, it is not shown; put back, it is.
        _ = try await app.send(.delete, "\(path)/care/\(entry)")
        #expect(try await app.send(.get, "\(path)/photos/\(entry)").status == 404)
        #expect(try await app.send(.post, "\(path)/care/\(entry)/restore")["photo"] as? Bool == true)
        #expect(try await app.send(.get, "\(path)/photos/\(entry)").status == 200)
    }

    @Test(
        "An empty file, a text, a GIF, an HTML page, another RIFF file and half a JPEG, PNG or WebP are no pictures",
        arguments: [
            [], Array("hello".utf8), Array("GIF89a".utf8), Array("<html>".utf8), Array("RIFF0000WAVE".utf8),
            Array(jpeg.dropLast(2)), Array(png.dropLast(1)), Array(webp.dropLast(1)),
        ])
    func noPicture(bytes: [UInt8]) async throws {
        let plant = try await app.plant()
        let answer = try await app.send(.post, "/api/plants/\(plant.id)/photos", bytes: bytes)
        #expect((400..<500).contains(answer.status))
        #expect(!answer.detail.isEmpty)
        #expect(try await app.count("plant_photo") == 0)
        #expect(try await app.count("plant_care") == 0)
    }

    @Test("A picture that is too large, one with a time that is none, and one of a plant that is not there are refused")
    func refused() async throws {
        let plant = try await app.plant()
        let large = Self.jpeg + Array(repeating: 0, count: Photo.mostBytes)
        #expect(try await app.send(.post, "/api/plants/\(plant.id)/photos", bytes: large).status == 413)
        #expect(try await app.send(.post, "/api/plants/\(plant.id)/photos?at=soon", bytes: Self.jpeg).status == 422)
        #expect(try await app.send(.post, "/api/plants/none/photos", bytes: Self.jpeg).status == 404)
        #expect(try await app.count("plant_photo") == 0)
    }

    @Test("Where a picture was taken is not stored, whatever program sends it")
    func place() async throws {
        let plant = try await app.plant()
        let path = "/api/plants/\(plant.id)/photos"
        let exif: [UInt8] = [0xff, 0xe1, 0, 11, 0x45, 0x78, 0x69, 0x66, 0, 0, 0x47, 0x50, 0x53]  // Exif, GPS
        var file = Self.jpeg
        file.insert(contentsOf: exif, at: 2)
        let made = try await app.send(.post, path, bytes: file)
        #expect(made.status == 201)
        let entry = try #require(made["id"] as? String)
        #expect(try await app.send(.get, "\(path)/\(entry)").bytes == Self.jpeg)
    }

    @Test(
        "More words than a note has, or than there are bytes, and a number that is none are refused",
        arguments: ["2001", "-1", "many", "2000"])
    func wordCount(count: String) async throws {
        let plant = try await app.plant()
        let path = "/api/plants/\(plant.id)/photos?noteBytes=\(count)"
        #expect(try await app.send(.post, path, bytes: Self.jpeg).status == 422)
        #expect(try await app.count("plant_photo") == 0)
    }

    @Test("Who has a picture is not sent it again, until it was removed")
    func unchanged() async throws {
        let plant = try await app.plant()
        let path = "/api/plants/\(plant.id)"
        let entry = try #require(
            try await app.send(.post, "\(path)/photos", bytes: Self.jpeg)["id"] as? String)
        let first = try await app.send(.get, "\(path)/photos/\(entry)")
        let tag = try #require(first.headers[.eTag])
        let again = try await app.send(.get, "\(path)/photos/\(entry)", headers: ["If-None-Match": tag])
        #expect(again.status == 304)
        #expect(again.bytes.isEmpty)
        let other = try await app.send(.get, "\(path)/photos/\(entry)", headers: ["If-None-Match": "\"other\""])
        #expect(other.bytes == Self.jpeg)
        #expect(try await app.send(.delete, "\(path)/care/\(entry)").status == 200)
        let gone = try await app.send(.get, "\(path)/photos/\(entry)", headers: ["If-None-Match": tag])
        #expect(gone.status == 404)
    }

    @Test("A removed picture can be put back for a week, and is deleted then; the others stay")
    func deletedLater() async throws {
        let plant = try await app.plant()
        let path = "/api/plants/\(plant.id)"
        var entries: [String] = []
        for _ in 0..<3 {
            let made = try await app.send(.post, "\(path)/photos", bytes: Self.jpeg)
            entries.append(try #require(made["id"] as? String))
        }
        for entry in entries.dropLast() { _ = try await app.send(.delete, "\(path)/care/\(entry)") }
        let (old, at) = (entries[0], app.now - RemovedPhotos.kept)
        try await app.hub.database.pool.write { db in
            try db.execute(sql: "UPDATE plant_care SET undone_at = ? WHERE id = ?", arguments: [at, old])
        }
        try await app.plants.removedPhotos.deleteOld()
        let left = try await app.hub.database.pool.read { db in
            try String.fetchSet(db, sql: "SELECT entry FROM plant_photo")
        }
        #expect(left == Set(entries.dropFirst()))
        #expect(try await app.send(.post, "\(path)/care/\(entries[1])/restore")["photo"] as? Bool == true)
        #expect(try await app.send(.post, "\(path)/care/\(old)/restore")["photo"] as? Bool == false)
    }

    @Test("A picture of another plant is not there")
    func other() async throws {
        let (basil, fern) = (try await app.plant("Basil"), try await app.plant("Fern"))
        let made = try await app.send(.post, "/api/plants/\(basil.id)/photos", bytes: Self.jpeg)
        let entry = try #require(made["id"] as? String)
        #expect(try await app.send(.get, "/api/plants/\(fern.id)/photos/\(entry)").status == 404)
    }

    @Test("A plant has room for one a week of ten years, and has it again when one is removed")
    func full() async throws {
        let plant = try await app.plant()
        let path = "/api/plants/\(plant.id)"
        try await app.hub.database.pool.write { db in
            for number in 0..<Photo.mostOfAPlant {
                try CareRecord(
                    id: "entry-\(number)", household: plant.household, plant: plant.id, at: plant.createdAt,
                    what: .note,
                    note: "", person: nil, undoneAt: nil
                ).insert(db)
                try db.execute(
                    sql:
                        "INSERT INTO plant_photo(entry, household, type, bytes) VALUES (?, ?, 'image/jpeg', x'ffd8ff')",
                    arguments: ["entry-\(number)", plant.household])
            }
        }
        let refused = try await app.send(.post, "\(path)/photos", bytes: Self.jpeg)
        #expect(refused.status == 409)
        #expect(
            refused.detail == "There are 520 pictures of Basil, and no room for more. Remove one. Nothing was stored.")
        #expect(try await app.send(.delete, "\(path)/care/entry-0").status == 200)
        #expect(try await app.send(.post, "\(path)/photos", bytes: Self.jpeg).status == 201)
        // The removed one took room until then.
        #expect(try await app.count("plant_photo") == Photo.mostOfAPlant)
    }
}
