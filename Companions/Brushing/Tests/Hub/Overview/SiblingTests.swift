import BrushingEngine
import Foundation
import HubInstruments
import HubKit
import Storage
import Testing

@testable import BrushingHub

@Suite("What a child sees of a sibling’s brushing")
struct SiblingTests {
    /// Of a sibling: who it is, whether it is done, and what a session is set up with on a phone that may record one.
    private static let person: Set<String> = [
        "id", "name", "role", "face", "done", "mayDeliver", "mayRead", "mayDecide", "timeZone", "routine", "cues",
        "isChildMode", "isChildModeChosen", "perDay",
    ]

    private let app: BrushingTestApp
    private let session: String

    init() async throws {
        app = try await BrushingTestApp()
        _ = try await app.send(.patch, "/api/people/mila", "{\"timeZone\":\"Asia/Tokyo\",\"birthYear\":2017}")
        for day in 1...4 as ClosedRange<Int64> {
            let at = app.now - day * BrushingTestApp.day
            _ = try await app.deliver(try BrushingTestApp.recorded("mila", at: at).encoded())
        }
        let today = try await app.deliver(
            try BrushingTestApp.recorded("mila", at: app.now - 600_000).encoded())
        session = try #require(today["id"] as? String)
        _ = try await app.send(
            .post, "/api/brushing/people/mila/appointments",
            "{\"title\":\"Orthodontist\",\"day\":\"2026-11-22\",\"minute\":600,\"note\":\"Private\"}")
        _ = try await app.send(.put, "/api/brushing/people/mila/days/2026-11-23", "{\"reason\":\"ill\"}")
        let (household, now) = (app.household.id, app.now)
        try await app.hub.database.pool.write { db in
            for id in ["milas", "theos", "nobodys"] {
                try DeviceRecord(
                    id: id, household: household, kind: "toothbrush", name: id, tokenHash: Data(), createdAt: now
                ).insert(db)
            }
        }
        _ = try await app.send(.put, "/api/brushing/brushes/milas", #"{"person": "mila"}"#)
        _ = try await app.send(.put, "/api/brushing/brushes/theos", #"{"person": "theo"}"#)
        try await app.use("ines", profile: "theo")
    }

    @Test("A child sees its own toothbrush, and no sibling’s nor nobody’s")
    func toothbrush() async throws {
        let brushes = try await app.send(.get, "/api/brushing/brushes")
        #expect(brushes["0", "id"] as? String == "theos" && brushes["1"] == nil)
    }

    @Test("Every route gives a child of a sibling the name, the face and whether it is done, and no more")
    func walk() async throws {
        let app = app
        let walk = SiblingWalk(about: "mila") {
            $0.hasPrefix("/api/brushing")
        } send: { method, path, body, bytes in
            try await app.send(method, path, body, bytes: bytes)
        }
        let mila = "/api/brushing/people/mila"
        let more = try BrushingTestApp.recorded("mila", at: app.now - 60_000, id: 9, seconds: 30).encoded()
        let going = try DeliveredSession(
            try BrushingTestApp.recorded("mila", at: app.now - 30_000, id: 8, seconds: 20).encoded())
        let begun = try await app.send(
            .patch, "/api/brushing/active/\(going.origin.id)", bytes: going.content,
            as: "tom", headers: ["Upload-Offset": "0"])
        #expect(begun.status == 201, "\(begun.text)")
        let appointment = "{\"title\":\"Dentist\",\"day\":\"2026-12-01\",\"minute\":900}"
        let faults = try await walk.faults([
            "GET /api/brushing": .says(Self.person, "/api/brushing"),
            "GET /api/brushing/brushes": .says([], "/api/brushing/brushes"),
            "GET /api/brushing/people/{person}/history": .refused("\(mila)/history"),
            "GET /api/brushing/people/{person}/statistics": .refused("\(mila)/statistics"),
            "GET /api/brushing/sessions/{id}": .refused("/api/brushing/sessions/\(session)"),
            "POST /api/brushing/sessions": .says(
                ["id", "person", "day", "slot"], "/api/brushing/sessions", bytes: more),
            "GET /api/brushing/active": .says(
                ["id", "person", "session", "since", "seenAt", "bytes", "agent", "isHere", "mayGoOn"],
                "/api/brushing/active"),
            "HEAD /api/brushing/active/{id}": .refused("/api/brushing/active/\(going.origin.id)"),
            "GET /api/brushing/active/{id}": .refused("/api/brushing/active/\(going.origin.id)"),
            // What the page itself sends: how many bytes the hub has.
            "PATCH /api/brushing/active/{id}": .household,
            "DELETE /api/brushing/active/{id}": .refused("/api/brushing/active/\(going.origin.id)"),
            "PUT /api/brushing/people/{person}/settings": .refused("\(mila)/settings", "{}"),
            "PUT /api/brushing/people/{person}/days/{day}": .refused(
                "\(mila)/days/2026-11-23", "{\"reason\":\"ill\"}"),
            "DELETE /api/brushing/people/{person}/days/{day}": .refused("\(mila)/days/2026-11-23"),
            "POST /api/brushing/people/{person}/days": .refused(
                "\(mila)/days", "{\"from\":\"2026-11-21\",\"to\":\"2026-11-22\",\"reason\":\"ill\"}"),
            "PUT /api/brushing/people/{person}/brush-head": .refused("\(mila)/brush-head", "{\"weeks\":8}"),
            "POST /api/brushing/people/{person}/brush-head/replaced": .refused("\(mila)/brush-head/replaced", "{}"),
            "POST /api/brushing/people/{person}/appointments": .refused("\(mila)/appointments", appointment),
            "PUT /api/brushing/people/{person}/appointments/{appointment}": .refused(
                "\(mila)/appointments/x", appointment),
            "DELETE /api/brushing/people/{person}/appointments/{appointment}": .refused("\(mila)/appointments/x"),
        ])
        #expect(faults == [])
    }

    @Test("The overview says of a sibling that it is done, by the household’s clock, and not what else it knows")
    func overview() async throws {
        let overview = try await app.send(.get, "/api/brushing")
        #expect(overview["people", "2", "name"] as? String == "Mila")
        #expect(overview["people", "2", "done", "morning"] as? Bool == true, "at ten to two")
        #expect(overview["people", "2", "timeZone"] as? String == "Europe/Vienna")
        for secret in ["Orthodontist", "Private", "Asia/Tokyo", "days in a row", "\"ill\"", session] {
            #expect(!overview.text.contains(secret), "\(secret)")
        }
        #expect(overview["people", "3", "progress", "sessions"] as? Int == 0, "Theo’s own")
        #expect(overview["people", "3", "mayRead"] as? Bool == true)
    }

    @Test(
        "A family device at an adult’s profile shows the children’s, and the adults’ with the password of the last minutes"
    )
    func sharedDevice() async throws {
        _ = try await app.deliver(try BrushingTestApp.recorded("ines", at: app.now - 60_000).encoded(), as: "tom")
        try await app.use("ines", profile: "ines", isShared: true, isConfirmed: false)
        func seen() async throws -> [Bool] {
            let people = try await app.send(.get, "/api/brushing")["people"] as? [[String: Any]] ?? []
            return people.map { $0["progress"] != nil }
        }
        #expect(try await seen() == [false, false, true, true])
        #expect(try await app.send(.get, "/api/brushing/people/mila/history").status == 200)
        let refused = try await app.send(.get, "/api/brushing/people/ines/history")
        #expect(refused.status == 403)
        #expect(refused["type"] as? String == "/problems/password-needed")
        let perDay = try await app.send(.put, "/api/brushing/people/mila/settings", "{\"perDay\":1}")
        #expect(perDay["type"] as? String == "/problems/password-needed", "no child’s to lower")
        try await app.use("ines", profile: "ines", isShared: true)
        #expect(try await seen() == [true, true, true, true])
        #expect(try await app.send(.get, "/api/brushing/people/ines/history").status == 200)
    }

    @Test("An answer that an adult got of a child is given to a sibling without what it says")
    func receipt() async throws {
        let body = "{\"cues\":{\"sound\":false}}"
        func put() async throws -> BrushingTestApp.Answer {
            try await app.send(
                .put, "/api/brushing/people/mila/settings", body, headers: ["Idempotency-Key": "k"])
        }
        func deliver() async throws -> BrushingTestApp.Answer {
            try await app.deliver(
                try BrushingTestApp.recorded("mila", at: app.now - 60_000, id: 7, seconds: 40).encoded(), key: "d")
        }
        try await app.use("ines", profile: "ines")
        let (settings, session) = (try await put(), try await deliver())
        #expect(session["brushSeconds"] as? Int == 40)
        try await app.use("ines", profile: "theo")
        #expect(try await put().text == "", "a retry of the outbox is told that it was done")
        let again = try await deliver()
        #expect(again.status == 201)
        #expect(again.text == "")
        try await app.use("ines", profile: "mila")
        #expect(try await put().text == settings.text, "it is hers")
        #expect(try await deliver().text == session.text)
    }
}
