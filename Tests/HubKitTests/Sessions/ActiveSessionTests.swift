import Foundation
import GRDB
import HubInstruments
import HubServer
import Storage
import TestInstruments
import Testing
import Wire

@testable import HubKit

@Suite("A session comes in chunks while it goes on")
struct ActiveSessionTests {
    private let app: CompanionTestApp<Raw>

    init() async throws { app = try await CompanionTestApp<Raw>() }

    @Test(
        "The format of its sessions is all that a companion declares of them: the hub closes what nobody goes on with")
    func declared() async throws {
        let test = try TestHub(migrations: Raw.migrations)
        let app = try await HubApplication(services: test.services, companions: [Raw.self])
        #expect(app.companionServices.count { $0 is ActiveSessionService<RawFormat> } == 1)
    }

    private struct ForeignSessions: Companion {
        static let slug = "bad"
        static let title = "Bad"
        static let migrations: [Migration] = []
        var sessionDefinition: (any SessionDefinition)? { RawFormat() }
        init(hub: HubContext) {}
        func addRoutes(to routes: Routes) {}
    }

    @Test("A companion whose sessions would be stored as another’s is refused when the hub starts")
    func foreign() async throws {
        let test = try TestHub()
        await #expect(throws: DeclarationError.self) {
            try await HubApplication(services: test.services, companions: [ForeignSessions.self])
        }
    }

    private func stored(_ id: String) async throws -> SessionRecord? {
        let household = app.household.id
        return try await app.hub.database.pool.read { db in try Sessions.find(id, household: household, db) }
    }

    private func recording(_ count: Int, seed: UInt64 = 1) -> [UInt8] {
        var random = SeededRandom(seed: seed)
        return (0..<count).map { _ in UInt8(truncatingIfNeeded: random.next()) & 0x7F }
    }

    @Test("Half an hour of nine axes at 200 Hz comes over a link that breaks ten times, and nothing is sent twice")
    func halfAnHour() async throws {
        // 30 min × 60 s × 200 Hz × 9 axes × 2 bytes, and the header.
        var device = RawRecorder(app, bytes: recording(6_480_000))
        let faults: [Int: RawRecorder.Fault] = [
            0: .beforeSending, 1: .beforeAnswer, 4: .beforeAnswer, 5: .beforeSending, 6: .beforeSending,
            11: .beforeAnswer, 14: .beforeAnswer, 15: .beforeAnswer, 21: .beforeSending, 26: .beforeSending,
        ]
        #expect(faults.count == 10)
        let answer = try await device.deliver(chunk: 262_144, faults: faults)
        #expect(answer.status == 201, "\(answer.text)")
        #expect(device.sent == device.bytes.count)
        let record = try #require(try await stored(device.id))
        #expect(Array(record.content) == device.bytes)
        #expect(try await app.count("active_session") == 0)
        #expect(try await app.count("active_session_chunk") == 0)
    }

    @Test("A break where only the end’s answer is lost is answered again, and nothing is sent for it")
    func lostEnd() async throws {
        var device = RawRecorder(app, bytes: recording(1_000))
        #expect(try await device.deliver(chunk: 600, faults: [1: .beforeAnswer]).status == 200)
        #expect(device.sent == device.bytes.count)
        let head = try await device.head()
        #expect(head.uploadOffset == device.bytes.count)
        #expect(head.headers[.uploadComplete] == "?1")
        #expect(try await app.count() == 1)
    }

    @Test("The same chunk again stores nothing twice, and another offset is answered with the hub’s")
    func again() async throws {
        let device = RawRecorder(app, bytes: recording(3_000))
        #expect(try await device.patch(0..<1_000).status == 201)
        let first = try await device.patch(1_000..<2_000)
        #expect(first.status == 200)
        #expect(first["offset"] as? Int == 2_000)
        for range in [1_000..<2_000, 0..<1_000, 500..<700, 0..<2_000] {
            let again = try await device.patch(range)
            #expect(again.status == 200, "\(range): \(again.text)")
            #expect(again.uploadOffset == 2_000)
        }
        // One that overlaps goes on from where the hub is.
        #expect(try await device.patch(1_500..<2_500).uploadOffset == 2_500)
        let ahead = try await device.patch(2_600..<2_700)
        #expect(ahead.status == 409)
        #expect(ahead.uploadOffset == 2_500)
        #expect(ahead["expected-offset"] as? Int == 2_500)
        #expect(ahead["reason"] as? String == "offset")
        #expect((ahead["type"] as? String)?.hasSuffix("#mismatching-upload-offset") == true)
        let (_, bytes) = try await app.companion.sessions.content(device.id, for: try await member("ines"))
        #expect(bytes == Array(device.bytes[..<2_500]))
    }

    private func member(_ id: String) async throws -> Member {
        let person = try await app.person(id)
        return Member(person: person, profile: person, signIn: "s")
    }

    @Test("A header that is missing or wrong is refused in words, and nothing is stored")
    func headers() async throws {
        let device = RawRecorder(app, bytes: recording(100))
        let path = "/api/raw/active/\(device.id)"
        for headers in [
            [:], ["Upload-Offset": "-1"], ["Upload-Offset": "many"], ["Upload-Offset": "5"],
            ["Upload-Offset": "\(Int.max)", "Upload-Checksum": "00000000"],
            ["Upload-Offset": "5", "Upload-Checksum": "12"], ["Upload-Offset": "0", "Upload-Complete": "yes"],
        ] {
            let answer = try await app.send(.patch, path, bytes: device.bytes, headers: headers)
            #expect(answer.status == 400, "\(headers)")
            #expect(!answer.detail.isEmpty)
        }
        #expect(try await device.patch(0..<10).status == 422, "no header")
        #expect(try await device.patch(0..<60, path: "0202020202020202").status == 422, "another id")
        #expect(try await device.patch(0..<60, path: "zz", session: device.id).status == 404)
        let large = RawRecorder(app, bytes: recording(262_145))
        #expect(try await large.patch(0..<large.bytes.count).status == 413)
        #expect(try await app.count("active_session") == 0)
    }

    @Test("A session that is stored answers any offset", arguments: [Int(Int32.max), 1 << 40, Int.max - 1, Int.max])
    func offsetOfStored(offset: Int) async throws {
        let device = RawRecorder(app, bytes: recording(100))
        #expect(try await app.deliver(device.bytes).status == 201)
        let answer = try await app.send(
            .patch, "/api/raw/active/\(device.id)", bytes: [1],
            headers: ["Upload-Offset": "\(offset)", "Upload-Checksum": "00000000"])
        #expect([400, 409].contains(answer.status), "\(answer.text)")
        #expect(try await app.deliver(device.bytes).status == 200)
    }

    @Test("Bytes whose rows were damaged are not stored as a session, and stay")
    func damagedRows() async throws {
        let device = RawRecorder(app, bytes: recording(100))
        #expect(try await device.patch(0..<60).status == 201)
        try await app.hub.database.pool.write { db in
            var bytes = try #require(try Data.fetchOne(db, sql: "SELECT bytes FROM active_session_chunk"))
            bytes[50] ^= 1
            try db.execute(sql: "UPDATE active_session_chunk SET bytes = ?", arguments: [bytes])
        }
        let answer = try await device.patch(60..<device.bytes.count, isComplete: true)
        #expect(answer.status == 409 && answer.detail.contains("cannot read"), "\(answer.text)")
        #expect(try await app.count() == 0)
        #expect(try await app.count("active_session") == 1)
    }

    @Test("Who ends a session without all that the hub has of it ends nothing: another device went on with it")
    func endedBehind() async throws {
        let first = RawRecorder(app, bytes: recording(1_000))
        #expect(try await first.patch(0..<first.bytes.count).status == 201)
        var second = RawRecorder(app, bytes: [], account: "tom")
        second.bytes = first.bytes + recording(500, seed: 2)
        #expect(try await second.patch(first.bytes.count..<second.bytes.count).status == 200)
        let end = try await first.patch(first.bytes.count..<first.bytes.count, isComplete: true, key: "k")
        #expect(end.status == 409)
        #expect(end["reason"] as? String == "diverged")
        #expect(end.uploadOffset == second.bytes.count)
        #expect(try await stored(first.id) == nil)
        #expect(try await app.count("active_session") == 1)
    }

    @Test("Another device takes it over; the first hears of it by the first number, and both parts are stored")
    func diverged() async throws {
        let first = RawRecorder(app, bytes: recording(2_000))
        #expect(try await first.patch(0..<1_000).status == 201)
        let taken = try await app.send(.get, "/api/raw/active/\(first.id)", as: "tom")
        #expect(taken.status == 200)
        #expect(taken.uploadOffset == 1_000)
        var second = RawRecorder(app, bytes: [], account: "tom")
        second.bytes = Array(first.bytes[..<1_000]) + recording(1_500, seed: 2)
        #expect(try await second.patch(1_000..<1_800).uploadOffset == 1_800)
        // The same offset, a later one, and one that the hub answered: it is another way each time.
        for range in [1_000..<1_400, 1_000..<2_000, 1_800..<2_000] {
            let refused = try await first.patch(range)
            #expect(refused.status == 409, "\(range)")
            #expect(refused["reason"] as? String == "diverged")
            #expect(refused.uploadOffset == 1_800)
        }
        let end = try await second.patch(1_800..<second.bytes.count, isComplete: true)
        #expect(end.status == 201)
        // The first sends its own copy, and what both have counts once.
        let copy = "00000000000000aa"
        #expect(try await first.patch(0..<1_200, path: copy, session: first.id).status == 201)
        let own = try await first.patch(1_200..<2_024, isComplete: true, path: copy, session: first.id, key: "k")
        #expect(own.status == 201, "\(own.text)")
        let id = try #require(own["id"] as? String)
        #expect(id != first.id)
        #expect(Array(try #require(try await stored(first.id)).content) == second.bytes)
        #expect(Array(try #require(try await stored(id)).content.dropFirst(8)) == Array(first.bytes[8...]))
        let common = try await app.hub.database.pool.read { db in
            try Int.fetchOne(db, sql: "SELECT common FROM session_branch WHERE id = ?", arguments: [id])
        }
        #expect(common == 1_000 - 8)
        // Again, as when the answer was lost: by its key, and all of it under yet another name.
        let repeated = try await first.patch(1_200..<2_024, isComplete: true, path: copy, session: first.id, key: "k")
        #expect(repeated["id"] as? String == id)
        let whole = try await first.patch(
            0..<2_024, isComplete: true, path: "00000000000000bb", session: first.id)
        #expect(whole.status == 200, "\(whole.text)")
        #expect(whole["id"] as? String == id)
        #expect(try await app.count() == 2)
        #expect(try await app.count("active_session") == 0)
    }

    @Test("A device’s own copy that holds nothing beyond what goes on elsewhere is not stored, and not refused")
    func contained() async throws {
        let first = RawRecorder(app, bytes: recording(500))
        _ = try await first.patch(0..<500)
        let copy = try await first.patch(
            0..<300, isComplete: true, path: "00000000000000aa", session: first.id)
        #expect(copy.status == 200, "\(copy.text)")
        #expect(copy["isActive"] as? Bool == true)
        #expect(try await app.count("active_session") == 1)
        #expect(try await app.count() == 0)
    }

    @Test("What nobody ended is closed after the companion’s patience, and gone on with when its device comes back")
    func left() async throws {
        var device = RawRecorder(app, bytes: recording(2_000))
        _ = try await device.patch(0..<1_000)
        let sessions = app.companion.sessions
        app.advance(milliseconds: 59_999)
        try await sessions.closeLeft()
        #expect(try await app.count() == 0)
        app.advance(milliseconds: 1)
        try await sessions.closeLeft()
        let content = try #require(try await stored(device.id)).content
        #expect(Array(content) == Array(device.bytes[..<1_000]) + [RawSession.hubsEnd])
        let head = try await device.head()
        #expect(head.uploadOffset == 1_000)
        #expect(head.headers[.uploadComplete] == "?0")
        #expect(head.headers[.uploadActive] == "?0")
        let other = RawRecorder(app, bytes: recording(1_500, seed: 9))
        #expect(try await other.patch(1_000..<1_500).status == 409)
        #expect(try await device.deliver(chunk: 400).status == 200)
        #expect(device.sent == 1_024)
        #expect(Array(try #require(try await stored(device.id)).content) == device.bytes)
        // Now it is over for good.
        device.bytes += [1, 2, 3]
        let late = try await device.patch(2_024..<2_027)
        #expect(late.status == 409)
        #expect(late["reason"] as? String == "over")
        #expect(try await app.count() == 1)
    }

    @Test(
        "What cannot be stored is kept and marked as failed with its reason, adults see it, and it can be gone on with")
    func failed() async throws {
        var device = RawRecorder(app, bytes: [1, 2, 0xFF])
        _ = try await device.patch(0..<device.bytes.count)
        let sessions = app.companion.sessions
        for _ in 0..<200 {
            app.advance(milliseconds: 60_000)
            try await sessions.closeLeft()
        }
        let seen = try await app.send(.get, "/api/raw/active")
        #expect((seen["active"] as? [Any])?.isEmpty == true)
        #expect(seen["failed", "0", "tries"] as? Int == 8)
        #expect((seen["failed", "0", "reason"] as? String)?.contains("cannot read") == true)
        #expect(try await app.send(.delete, "/api/raw/active/\(device.id)").status == 409)
        let before = device.bytes.count
        device.bytes += [7]
        let answer = try await device.patch(before..<before + 1, isComplete: true)
        #expect(answer.status == 201, "\(answer.text)")
        #expect(try await app.count("active_session") == 0)
    }

    @Test("A household has so many at once, of so many bytes, and a session has so many bytes")
    func limits() async throws {
        var format = RawFormat()
        format.limits = ActiveSessionLimits(sessionBytes: 500, perDay: 3, patienceMilliseconds: 60_000)
        format.limits.perHousehold = 2
        format.limits.householdBytes = 800
        let sessions = ActiveSessions(format, hub: app.hub)
        let ines = try await member("ines")
        func append(_ device: RawRecorder, _ range: Range<Int>) async throws {
            _ = try await sessions.append(
                .init(
                    offset: range.lowerBound, bytes: Array(device.bytes[range]),
                    checksum: crc32(device.bytes[..<range.lowerBound])), to: device.id, by: ines)
        }
        let one = RawRecorder(app, id: 1, bytes: recording(1_000))
        let two = RawRecorder(app, id: 2, bytes: recording(1_000))
        let three = RawRecorder(app, id: 3, bytes: recording(1_000))
        try await append(one, 0..<400)
        #expect(await problem { try await append(one, 400..<501) }?.code == .contentTooLarge)
        try await append(two, 0..<400)
        #expect(await problem { try await append(two, 400..<401) }?.detail.english.contains("End some") == true)
        #expect(await problem { try await append(three, 0..<100) }?.detail.english.contains("End some") == true)
    }

    private func problem(_ work: () async throws -> Void) async -> Problem? {
        do {
            try await work()
            return nil
        } catch {
            return error as? Problem
        }
    }

    @Test("A day takes so many, but what the hub closes is stored all the same")
    func perDay() async throws {
        for id in 1...3 {
            var device = RawRecorder(app, id: UInt8(id), bytes: recording(50))
            #expect(try await device.deliver(chunk: 1_000).status == 201)
        }
        var fourth = RawRecorder(app, id: 4, bytes: recording(50))
        #expect(try await fourth.deliver(chunk: 1_000).status == 422)
        #expect(try await app.count("active_session") == 1, "nothing is lost")
        app.advance(milliseconds: 60_000)
        try await app.companion.sessions.closeLeft()
        #expect(try await app.count() == 4)
    }

    @Test("A child’s profile goes on with its own, and knows nothing of a sibling’s")
    func siblings() async throws {
        let device = RawRecorder(app, bytes: recording(100))
        _ = try await device.patch(0..<50)
        try await app.use("tom", profile: "theo")
        let sibling = RawRecorder(app, bytes: recording(100), account: "tom")
        #expect(try await sibling.head().status == 403)
        #expect(try await app.send(.get, "/api/raw/active/\(device.id)", as: "tom").status == 403)
        #expect(try await app.send(.delete, "/api/raw/active/\(device.id)", as: "tom").status == 403)
        // Without the bytes nobody knows their checksum.
        #expect(try await sibling.patch(50..<60, checksum: 0).status == 409)
        try await app.use("tom", profile: "mila")
        #expect(try await sibling.head().uploadOffset == 50)
        #expect(try await sibling.patch(50..<100).status == 200)
    }

    @Test("Appending writes one row of bounded size, however long the session is")
    func rows() async throws {
        let device = RawRecorder(app, bytes: recording(100_000))
        var offset = 0
        for count in [24] + [Int](repeating: 100, count: 900) {
            _ = try await device.patch(offset..<offset + count)
            offset += count
        }
        let (rows, most) = try await app.hub.database.pool.read { db -> (Int, Int) in
            let row = try Row.fetchOne(db, sql: "SELECT count(*), max(length(bytes)) FROM active_session_chunk")
            return (row?[0] ?? 0, row?[1] ?? 0)
        }
        #expect(most <= 16_384)
        #expect(rows == 6)
    }
}
