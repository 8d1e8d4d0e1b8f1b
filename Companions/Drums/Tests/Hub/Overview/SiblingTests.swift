import DrumsEngine
import HubInstruments
import HubKit
import Storage
import Testing

@testable import DrumsHub

@Suite("What a child sees of a sibling’s drumming")
struct SiblingTests {
    /// Of a sibling: who it is, and what a song is set up with on a device that may record one; see ``OverviewPerson``.
    private static let person: Set<String> = [
        "id", "name", "role", "face", "timeZone", "mayDeliver", "mayDecide", "mayPlan", "settings", "play", "windows",
    ]
    /// That a song is being played, so that two do not take the same kit.
    private static let active: Set<String> = [
        "id", "person", "song", "level", "mode", "link", "beat", "beats", "since", "seenAt", "agent", "isHere",
        "mayGoOn",
    ]
    private static let stored: Set<String> = ["id", "day", "song"]

    @Test("Every route gives a child of a sibling what is for everybody, and no more")
    func walk() async throws {
        let app = try await DrumsTestApp()
        _ = try await app.send(.patch, "/api/people/mila", "{\"timeZone\":\"Asia/Tokyo\"}")
        let played = try DrumsTestApp.played("mila", at: app.now - 600_000)
        let session = try await app.deliver(played.encoded())["id"] as? String ?? ""
        let setup = DrumsTestApp.setup("mila", id: 9)
        let part = try DrumsTestApp.played("mila", at: app.now - 60_000, beats: 3, setup: setup, isFinished: false)
        let id = SessionOrigin.name(of: setup.id)
        _ = try await app.append(part, as: "tom")
        let more = try DrumsTestApp.played("mila", at: app.now - 300_000, setup: DrumsTestApp.setup("mila", id: 8))
        try await app.use("ines", profile: "theo")

        let walk = SiblingWalk(about: "mila") {
            $0.hasPrefix("/api/drums")
        } send: { method, path, body, bytes in
            try await app.send(method, path, body, bytes: bytes)
        }
        let mila = "/api/drums/people/mila"
        let faults = try await walk.faults([
            "GET /api/drums": .says(Self.person.union(Self.active), "/api/drums"),
            "GET /api/drums/data": .refused("/api/drums/data?person=mila"),
            "GET /api/drums/report": .refused("/api/drums/report?person=mila"),
            "GET /api/drums/days": .refused("/api/drums/days?person=mila"),
            "GET /api/drums/sessions": .refused("/api/drums/sessions?person=mila"),
            "GET /api/drums/sessions/{id}": .refused("/api/drums/sessions/\(session)"),
            "GET /api/drums/sessions/{id}/after": .refused("/api/drums/sessions/\(session)/after"),
            "POST /api/drums/sessions": .says(Self.stored, "/api/drums/sessions", bytes: more.encoded()),
            "GET /api/drums/export": .refused("/api/drums/export?person=mila"),
            // Whoever may deliver a session may bring one in; what is answered is how many were taken.
            "POST /api/drums/import": .household,
            "GET /api/drums/active": .says(
                ["id", "person", "session", "since", "seenAt", "bytes", "agent", "isHere", "mayGoOn"],
                "/api/drums/active"),
            "HEAD /api/drums/active/{id}": .refused("/api/drums/active/\(id)"),
            "GET /api/drums/active/{id}": .refused("/api/drums/active/\(id)"),
            // What the page itself sends while it plays: how many bytes the hub has.
            "PATCH /api/drums/active/{id}": .household,
            "DELETE /api/drums/active/{id}": .refused("/api/drums/active/\(id)"),
            "PUT /api/drums/people/{person}/settings": .refused("\(mila)/settings", "{}"),
            "PUT /api/drums/people/{person}/latency/{link}": .refused(
                "\(mila)/latency/screen",
                "{\"tenths\":400,\"lowerTenths\":380,\"upperTenths\":420,\"taps\":12}"),
            "DELETE /api/drums/people/{person}/latency/{link}": .refused("\(mila)/latency/screen"),
            // Who delivers for another says what they have said, and sees nothing that was said before.
            "PUT /api/drums/sessions/{id}/reports/{moment}": .says(
                ["session", "moment", "at", "effort", "pain"], "/api/drums/sessions/\(session)/reports/before",
                "{\"person\":\"mila\",\"at\":\(app.now),\"effort\":1,\"pain\":1}"),
            "GET /api/drums/people/{person}/goals": .refused("\(mila)/goals"),
            "POST /api/drums/people/{person}/goals": .refused("\(mila)/goals", "{\"text\":\"Hop\"}"),
            "PUT /api/drums/people/{person}/goals/{goal}": .refused("\(mila)/goals/hop", "{}"),
            "GET /api/drums/songs": .household,
            "GET /api/drums/songs/{id}": .household,
            "GET /api/drums/songs/{id}/audio": .household,
        ])
        #expect(faults == [])
        let overview = try await app.send(.get, "/api/drums")
        #expect(!overview.text.contains("Asia/Tokyo"))
        #expect(overview["people", "0", "settings", "affectedSide"] == nil)
    }

    @Test("A family device at an adult’s profile shows an adult’s drumming with the password of the last minutes alone")
    func sharedDevice() async throws {
        let app = try await DrumsTestApp()
        try await app.use("ines", profile: "ines", isShared: true, isConfirmed: false)
        for path in ["data?person=ines", "export?person=ines", "report?person=tom", "days?person=ines"] {
            let answer = try await app.send(.get, "/api/drums/\(path)")
            #expect(answer["type"] as? String == "/problems/password-needed", "\(path): \(answer.status)")
        }
        #expect(try await app.send(.get, "/api/drums/days?person=mila").status == 200)
        let overview = try await app.send(.get, "/api/drums")
        #expect(
            overview["people", "0", "mayPlan"] as? Bool == true,
            "the page offers it, and the password is asked for then")
        let plan = try await app.send(
            .put, "/api/drums/people/mila/plan", "{\"minutesPerWeek\":60,\"setBy\":\"Ines\"}")
        #expect(plan["type"] as? String == "/problems/password-needed")
        try await app.use("ines", profile: "ines", isShared: true)
        #expect(try await app.send(.get, "/api/drums/data?person=ines").status == 200)
    }
}
