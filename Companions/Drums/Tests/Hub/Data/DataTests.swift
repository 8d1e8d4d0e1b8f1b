import Foundation
import Signals
import Storage
import Testing

@testable import DrumsEngine
@testable import DrumsHub
@testable import HubKit

@Suite("Data of a week, a month and a year")
struct DataTests {
    private let app: DrumsTestApp

    init() async throws { app = try await DrumsTestApp() }

    private func data(_ query: String, as account: String? = "ines") async throws -> DrumsTestApp.Answer {
        try await app.send(.get, "/api/drums/data?\(query)", as: account)
    }

    @Test("Without a session there is nothing to see, and it says so", arguments: ["week", "month", "year"])
    func empty(span: String) async throws {
        let answer = try await data("person=mila&span=\(span)")
        #expect(answer.status == 200)
        #expect(answer["isEmpty"] as? Bool == true)
        #expect(answer["empty"] as? String == "Nothing was played yet. What is played is shown here.")
        #expect(answer["headline"] as? String == "Mila has not practised this week yet")
        for part in ["reaction", "force", "sessions"] { #expect((answer[part] as? [Any])?.isEmpty == true) }
        for part in ["hands", "correct", "timing", "trend", "earlier", "later"] { #expect(answer[part] == nil) }
        #expect((answer["dose", "weeks"] as? [Any])?.isEmpty == true)
    }

    @Test("Of a household that was made this week and brought its sessions along nobody says that it never drummed")
    func broughtAlong() async throws {
        #expect(try await app.send(.get, "/api/drums")["headline", "text"] as? String == "Nobody has drummed here yet.")
        let session = try DrumsTestApp.played("mila", at: try DrumsTestApp.vienna("2026-09-02", 16, 42))
        _ = try await app.deliver(session.encoded())
        #expect(
            try await app.send(.get, "/api/drums")["headline", "text"] as? String == "Nobody has drummed this week yet."
        )
    }

    @Test("One session is one point with its own numbers, and too little for more than that")
    func one() async throws {
        let at = try DrumsTestApp.vienna("2026-11-18", 16, 42)
        let session = try DrumsTestApp.played("mila", at: at)
        _ = try await app.deliver(session.encoded())
        let result = session.result
        let answer = try await data("person=mila&span=month")
        #expect(answer["start"] as? String == "2026-10-26")
        #expect(answer["end"] as? String == "2026-11-22")
        #expect(answer["totals", "words"] as? String == "One song on one day, less than a minute.")
        #expect((answer["reaction"] as? [Any])?.count == 1)
        #expect(answer["reaction", "0", "clock"] as? String == "drum")
        #expect(answer["reaction", "0", "caption"] as? String == "median and quartiles, one day, n = 16")
        #expect((answer["reaction", "0", "points"] as? [Any])?.count == 1)
        #expect(answer["reaction", "0", "points", "0", "index"] as? Int == 23)
        #expect(answer["reaction", "0", "points", "0", "median"] as? Double == 452.5)
        #expect(answer["reaction", "0", "points", "0", "lower"] as? Double == 426.3)
        #expect(answer["reaction", "0", "points", "0", "upper"] as? Double == 478.8)
        #expect(answer["reaction", "0", "points", "0", "mean"] as? Double == 452.5)
        #expect(answer["reaction", "0", "all", "mean"] as? Double == 452.5)
        #expect((answer["reaction", "0", "gaps"] as? [Any])?.isEmpty == true)
        #expect(answer["correct", "all", "n"] as? Int == result.judged)
        #expect(answer["correct", "all", "right"] as? Int == result.right)
        #expect(answer["correct", "points", "0", "index"] as? Int == 3)
        let wilson = try #require(WilsonInterval(result.right, of: result.judged))
        #expect(answer["correct", "all", "from"] as? Int == Int((wilson.lower + 5) / 10))
        #expect(answer["force", "0", "linkClass"] as? String == "kit")
        #expect(answer["force", "0", "all", "median"] as? Double == 3.2)
        #expect(answer["force", "0", "all", "mean"] as? Double == 3.2)
        #expect(answer["force", "0", "caption"] as? String == "no unit, red drum, median and quartiles")
        #expect(answer["timing"] == nil)
        #expect(answer["trend", "perWeek"] == nil)
        #expect(
            answer["trend", "words"] as? String == "A trend takes five days with five answers each; there is one.")
        #expect(answer["sessions", "0", "words"] as? String == "Wednesday 18 Nov, 16:42, Medium")
        #expect(answer["sessions", "0", "value"] as? String == "\(result.right) of \(result.judged)")
        #expect(answer["sessions", "0", "reactionWords"] as? String == "453 ms")
        #expect(answer["sessionsWords"] as? String == "The only one")
        #expect((answer["dose", "weeks"] as? [Any])?.count == 4)
        // Other people's, other weeks'.
        #expect(try await data("person=theo&span=month")["isEmpty"] as? Bool == true)
        let before = try await data("person=mila&span=month&until=2026-10-25")
        #expect(before["empty"] as? String == "Nothing was played in those four weeks.")
        #expect(before["later"] as? String == "2026-11-21")
        #expect(before["earlier"] == nil)
    }

    @Test("Days without practice are gaps, not noughts; each hit is counted once in each span")
    func gaps() async throws {
        let days = ["2026-10-28", "2026-10-29", "2026-11-05", "2026-11-06", "2026-11-09", "2026-11-20", "2026-07-01"]
        for (place, day) in days.enumerated() {
            let session = try DrumsTestApp.played(
                "mila", at: try DrumsTestApp.vienna(day, 16), setup: DrumsTestApp.setup("mila", id: UInt8(place + 1)))
            #expect(try await app.deliver(session.encoded()).status == 201)
        }
        let month = try await data("person=mila&span=month")
        #expect((month["reaction", "0", "points"] as? [Any])?.count == 6)
        #expect(month["reaction", "0", "all", "n"] as? Int == 96)
        #expect((month["reaction", "0", "gaps"] as? [Any])?.count == 2)
        #expect(month["reaction", "0", "gaps", "0", "from"] as? Int == 4)
        #expect(month["reaction", "0", "gaps", "0", "to"] as? Int == 9)
        #expect(
            (month["reaction", "0", "label"] as? String)?.contains("No practice from 30 October to 4 November.") == true
        )
        #expect(month["earlier"] as? String == "2026-10-25")
        #expect(month["trend", "perWeek"] != nil)
        let year = try await data("person=mila&span=year")
        #expect(year["start"] as? String == "2025-11-24")
        #expect(year["reaction", "0", "count"] as? Int == 52)
        #expect(year["reaction", "0", "all", "n"] as? Int == 112)
        #expect(year["correct", "count"] as? Int == 13)
        let week = try await data("person=mila&span=week")
        #expect(week["reaction", "0", "all", "n"] as? Int == 16)
        #expect(week["reaction", "0", "ticks", "0", "label"] as? String == "Mon")
        #expect(week["trend", "words"] as? String == "A trend takes five days with five answers each; there is one.")
    }

    @Test("Four weeks lie over the four before, or over those of a year ago, day over day")
    func compared() async throws {
        for (place, day) in ["2026-10-05", "2026-11-02", "2025-11-03"].enumerated() {
            let session = try DrumsTestApp.played(
                "mila", at: try DrumsTestApp.vienna(day, 16), setup: DrumsTestApp.setup("mila", id: UInt8(place + 1)))
            #expect(try await app.deliver(session.encoded()).status == 201)
        }
        let alone = try await data("person=mila&span=month")
        #expect(alone["against"] == nil)
        #expect(alone["reaction", "0", "earlier"] == nil)
        let before = try await data("person=mila&span=month&against=before")
        #expect(before["against", "title"] as? String == "28 Sep–25 Oct")
        #expect(before["against", "words"] as? String == "One song on one day, less than a minute.")
        #expect(before["reaction", "0", "points", "0", "index"] as? Int == 7)
        #expect(before["reaction", "0", "earlier", "points", "0", "index"] as? Int == 7)
        #expect(before["reaction", "0", "earlier", "points", "0", "label"] as? String == "5 Oct")
        #expect(
            (before["reaction", "0", "earlier", "words"] as? String)?
                .hasPrefix("28 Sep–25 Oct: median 453 ms, n = 16. The same now, ± ") == true)
        #expect(before["correct", "earlier", "all", "n"] as? Int == 16)
        #expect(before["force", "0", "earlier", "words"] as? String == "28 Sep–25 Oct: median 3.2, n = 5.")
        let year = try await data("person=mila&span=month&against=year")
        #expect(year["against", "start"] as? String == "2025-10-27")
        #expect(year["reaction", "0", "earlier", "points", "0", "index"] as? Int == 7, "Monday over Monday")
        // A stretch of which there is nothing is said, and no chart lies over it.
        let week = try await data("person=mila&span=week&until=2026-11-08&against=before")
        #expect(week["reaction", "0", "earlier"] == nil)
    }

    @Test("A comparison with anything else is refused", arguments: ["", "after", "2026-11-01", "YEAR"])
    func comparedWithNothing(against: String) async throws {
        let answer = try await data("person=mila&span=month&against=\(against)")
        #expect(answer.status == 422)
        #expect(answer["field"] as? String == "against")
    }

    @Test("Reactions by the drum’s clock stand apart from those by the page’s; force is of its own kind of link")
    func apart() async throws {
        let at = try DrumsTestApp.vienna("2026-11-18", 16)
        _ = try await app.deliver(try DrumsTestApp.played("mila", at: at).encoded())
        let tapped = try Self.tapped("mila", at: at + 600_000)
        _ = try await app.deliver(tapped.encoded())
        let answer = try await data("person=mila&span=month")
        #expect((answer["reaction"] as? [Any])?.count == 2)
        #expect(answer["reaction", "0", "clock"] as? String == "drum")
        #expect(answer["reaction", "1", "clock"] as? String == "page")
        #expect(answer["reaction", "0", "all", "n"] as? Int == 16)
        #expect((answer["force"] as? [Any])?.count == 1, "a screen tells no force")
        #expect(answer["hands", "clock"] as? String == "drum")
    }

    /// A song on the screen, each beat hit after 300 ms; without a tap the answer is as fast as none can be.
    static func tapped(_ person: String, at: Int64, microseconds: Int64 = 300_000) throws -> DrumSession {
        var session = try DrumSession(setup: DrumsTestApp.setup(person, id: 99, link: .screen))
        var now: Int64 = 1_000_000
        _ = session.handle(.start(wall: at), atMicroseconds: now)
        for _ in 0..<20_000 where session.end == nil {
            let view = session.view
            guard let step = view.cueStep, let drum = view.cueDrum, !view.isCueShown else {
                now += 10_000
                _ = session.handle(.tick, atMicroseconds: now)
                continue
            }
            _ = session.handle(.cueShown(step: step), atMicroseconds: now)
            now += microseconds
            _ = session.handle(.strike(drum, velocity: 0, link: .screen), atMicroseconds: now)
        }
        _ = session.handle(.finish, atMicroseconds: now)
        return session
    }

    @Test("Answers faster than a person are left out, and it says how many")
    func implausible() async throws {
        let at = try DrumsTestApp.vienna("2026-11-18", 16)
        _ = try await app.deliver(try DrumsTestApp.played("mila", at: at).encoded())
        _ = try await app.deliver(try Self.tapped("mila", at: at + 600_000, microseconds: 90_000).encoded())
        let answer = try await data("person=mila&span=month")
        #expect((answer["reaction"] as? [Any])?.count == 1, "there is nothing by the page’s clock to show")
        let report = try await app.send(.get, "/api/drums/report?person=mila")
        #expect((report["practised"] as? String)?.contains("; Medium; ") == true)
        #expect((report["limits", "words"] as? String)?.contains("Times under 150 ms were left out (n = 16).") == true)
    }

    @Test(
        "What cannot be asked is refused in words",
        arguments: [
            ("/api/drums/data?span=month", "person"), ("/api/drums/data?person=mila&span=decade", "span"),
            ("/api/drums/data?person=mila&until=yesterday", "until"),
            ("/api/drums/data?person=mila&until=0001-01-01", "until"), ("/api/drums/report", "person"),
            ("/api/drums/report?person=mila&from=2026-11-31", "from"),
            ("/api/drums/report?person=mila&from=2026-11-20&to=2026-11-19", "from"),
            ("/api/drums/report?person=mila&from=2026-12-01&to=2026-12-02", "from"),
            ("/api/drums/report?person=mila&from=2025-11-20&to=2026-11-21", "from"),
        ])
    func refused(path: String, field: String) async throws {
        let answer = try await app.send(.get, path)
        #expect(answer.status == 422)
        #expect(answer["field"] as? String == field)
        #expect(!answer.detail.isEmpty)
    }

    @Test(
        "How a hand does is for its owner and the adults, not for brothers and sisters", arguments: ["data", "report"])
    func whose(what: String) async throws {
        #expect(try await app.send(.get, "/api/drums/\(what)?person=nobody").status == 404)
        #expect(try await app.send(.get, "/api/drums/\(what)?person=mila", as: nil).status == 401)
        try await app.use("ines", profile: "theo")
        #expect(try await app.send(.get, "/api/drums/\(what)?person=mila").status == 403)
        #expect(try await app.send(.get, "/api/drums/\(what)?person=theo").status == 200)
        let overview = try await app.send(.get, "/api/drums")
        #expect(overview["people", "0", "id"] as? String == "mila")
        for part in ["week", "today", "plan"] { #expect(overview["people", "0", part] == nil) }
        #expect(overview["people", "1", "week"] != nil)
        // What a sibling's song is set up with, and nothing of how it was learnt.
        #expect(overview["people", "0", "windows", "kit", "both", "half"] as? Int == 200)
        for part in ["n", "words"] {
            #expect(overview["people", "0", "windows", "kit", "both", part] == nil)
            #expect(overview["people", "1", "windows", "kit", "both", part] != nil)
        }
    }

    @Test("The sample household fills every chart and the whole report", .timeLimit(.minutes(5)))
    func demo() async throws {
        try await app.drums.seedDemo(household: app.household)
        let year = try await data("person=mila&span=year")
        #expect(year["person", "affectedSide"] as? String == "right")
        for part in ["hands", "correct", "timing", "trend"] { #expect(year[part] != nil, "\(part)") }
        let words = try #require(year["hands", "words"] as? String)
        #expect(words.hasPrefix("Right, the practised side, answers "), "\(words)")
        #expect(year["trend", "figures"] is String)
        let windows = try await app.send(.get, "/api/drums")
        #expect(windows["people", "0", "id"] as? String == "mila", "children first")
        #expect(windows["people", "0", "windows", "kit", "both", "n"] as? Int == 60)
        let report = try await app.send(.get, "/api/drums/report?person=mila")
        #expect((report["reaction", "0", "rows"] as? [Any])?.isEmpty == false)
        #expect((report["subtitle"] as? String)?.hasSuffix("For Ms Okafor.") == true)
    }
}
