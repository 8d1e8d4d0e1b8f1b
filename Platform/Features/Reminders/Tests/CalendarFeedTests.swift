import Foundation
import GRDB
import HTTPTypes
import HubInstruments
import Storage
import Testing

@testable import Accounts
@testable import HubKit
@testable import HubServer
@testable import Reminders

@Suite("Reminders as a calendar")
struct CalendarFeedTests {
    private struct Place {
        var app: ReminderTestApp
        var client: HTTPTestClient
        var token: String

        /// Makes an address and returns its path.
        func path(_ body: String = "{}") async throws -> String {
            let made = try await client.send(.post, "/api/calendar-feeds", body, token: token)
            #expect(made.status == 201)
            let url = try #require(made["url"] as? String)
            #expect(url.hasPrefix("http://localhost:8080/calendar/"))
            #expect(made["qr", "path"] is String)
            return try #require(URL(string: url)).path
        }

        /// The unfolded lines of a calendar.
        func lines(_ path: String) async throws -> [String] {
            let answer = try await client.send(.get, path)
            #expect(answer.status == 200)
            #expect(answer.headers[.contentType] == "text/calendar; charset=utf-8")
            return answer.text.replacingOccurrences(of: "\r\n ", with: "").components(separatedBy: "\r\n")
        }
    }

    private func place() async throws -> Place {
        let app = try await ReminderTestApp(at: "2026-11-21T05:00:00Z")
        let client = try await HTTPTestClient(app.test, app: app.app)
        return Place(app: app, client: client, token: try await client.token(app.ines))
    }

    @Test("A daily reminder is an event that recurs, with an alarm, in the zone of its person")
    func daily() async throws {
        let place = try await place()
        try await place.app.set("morning", place.app.mila)
        try await place.app.set("evening", place.app.mila, on: [1, 2, 3, 4, 5])
        try await place.app.set("morning", place.app.theo, isOn: false)
        let lines = try await place.lines(try await place.path())
        #expect(lines.filter { $0 == "BEGIN:VEVENT" }.count == 2)
        for line in [
            "SUMMARY:Mila: Morning", "DTSTART;TZID=Europe/Vienna:20261121T070000", "RRULE:FREQ=DAILY",
            "SUMMARY:Mila: Evening", "DTSTART;TZID=Europe/Vienna:20261123T193000",
            "RRULE:FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR", "TRIGGER:PT0S", "ACTION:DISPLAY", "DTSTAMP:20261121T050000Z",
            "TZID:Europe/Vienna", "REFRESH-INTERVAL;VALUE=DURATION:PT1H", "X-PUBLISHED-TTL:PT1H", "SEQUENCE:0",
            "UID:bells.morning.\(place.app.mila.id)@tandem",
            "URL:http://localhost:8080/bells?person=\(place.app.mila.id)",
            // The first change after the new year of the year before: to winter time.
            "DTSTART:20250330T020000", "RDATE:20270328T020000", "RDATE:20271031T030000",
        ] { #expect(lines.contains(line), "\(line)") }
        // 7:00 is never left out.
        #expect(!lines.contains { $0.hasPrefix("EXDATE") })
    }

    @Test("A time that clocks leave out is taken out, and the moment at which the hub reminds put in")
    func gap() async throws {
        let place = try await place()
        try await place.app.set("morning", place.app.mila, at: 150)
        let lines = try await place.lines(try await place.path())
        #expect(lines.contains("EXDATE;TZID=Europe/Vienna:20270328T023000"))
        #expect(lines.contains("RDATE;TZID=Europe/Vienna:20270328T030000"))
    }

    @Test("An appointment is one event at its own time, with an alarm for each of its reminders")
    func appointment() async throws {
        let place = try await place()
        let app = place.app
        let day = try #require(CivilDate("2026-12-04")).day
        try await app.hub.database.pool.write { db in
            for (name, on, minute) in [("eve", day - 1, Int32(1_080)), ("soon", day, 870)] {
                try app.reminders.setOnce(
                    companion: "bells", name: name, person: app.mila.id, day: on, minute: minute,
                    of: .init(
                        name: "d1", title: "Dentist; Dr. Wu, 2nd floor", note: "Bring:\r\n\\card", day: day,
                        minute: 990), db)
            }
            try app.reminders.setOnce(
                companion: "bells", name: "head", person: app.theo.id, day: day, minute: 420, db)
        }
        let lines = try await place.lines(try await place.path())
        #expect(lines.filter { $0 == "BEGIN:VEVENT" }.count == 2)
        for line in [
            "DTSTART;TZID=Europe/Vienna:20261204T163000", "DURATION:PT30M",
            "TRIGGER;VALUE=DATE-TIME:20261203T170000Z", "TRIGGER;VALUE=DATE-TIME:20261204T133000Z",
            #"SUMMARY:Mila: Dentist\; Dr. Wu\, 2nd floor"#, #"DESCRIPTION:Bring:\n\\card"#, "SUMMARY:Theo: head",
            "DESCRIPTION:Theo: head",
            "TRIGGER;VALUE=DATE-TIME:20261204T060000Z",
        ] { #expect(lines.contains(line), "\(line)") }
    }

    @Test("Lines have at most 75 octets and break inside no character, and say the same when they are joined")
    func folding() {
        var random = SystemRandomNumberGenerator()
        for _ in 0..<500 {
            let characters = (0..<Int.random(in: 0...200, using: &random)).map { _ in
                ["a", "ü", "€", "😀", "👩‍👧", "\\", ",", "ß", "é"].randomElement(using: &random) ?? ""
            }
            let word = characters.joined()
            var text = CalendarText()
            text.add("SUMMARY", text: word)
            let all = String(decoding: text.bytes, as: UTF8.self)
            #expect(!all.contains("\u{FFFD}"))
            #expect(all.hasSuffix("\r\n"))
            let lines = Array(all.utf8).split(separator: 0x0A)
            #expect(lines.allSatisfy { $0.count <= 76 })
            let joined = all.replacingOccurrences(of: "\r\n ", with: "").dropLast(1)
            let escaped = word.replacingOccurrences(of: "\\", with: "\\\\").replacingOccurrences(of: ",", with: "\\,")
            #expect(Array(joined.utf8) == Array("SUMMARY:\(escaped)".utf8))
        }
    }

    @Test("Text brings in no line of its own, whatever is in it")
    func escaping() {
        var text = CalendarText()
        text.add("SUMMARY", text: "a\r\nBEGIN:VEVENT\nb\rc\u{2028}d\u{85}e\u{0}f\u{1B}\tg;h,i\\n")
        let expected = #"SUMMARY:a\nBEGIN:VEVENT\nb\nc\nd\nef\#tg\;h\,i\\n"# + "\r\n"
        #expect(String(decoding: text.bytes, as: UTF8.self) == expected)
    }

    @Test("What has not changed is not sent again, and what has is")
    func unchanged() async throws {
        let place = try await place()
        try await place.app.set("morning", place.app.mila)
        let path = try await place.path()
        let tag = try #require(try await place.client.send(.get, path).headers[.eTag])
        place.app.test.advance(milliseconds: 3 * 86_400_000)
        try await place.app.look()
        let again = try await place.client.send(.get, path, headers: ["If-None-Match": tag])
        #expect(again.status == 304)
        #expect(again.text.isEmpty)
        #expect(again.headers[.eTag] == tag)
        try await place.app.set("morning", place.app.mila, at: 430)
        let changed = try await place.client.send(.get, path, headers: ["If-None-Match": tag])
        #expect(changed.status == 200)
        #expect(changed.text.contains("SEQUENCE:1\r\n"))
        #expect(changed.headers[.cacheControl] == "private, no-cache")
    }

    @Test("Who moves to another zone, or has another name, is in the calendar so, and programs see that it is newer")
    func moved() async throws {
        let place = try await place()
        let app = place.app
        try await app.set("morning", app.mila)
        let day = try #require(CivilDate("2026-12-04")).day
        try await app.hub.database.pool.write { db in
            try app.reminders.setOnce(
                companion: "bells", name: "eve", person: app.mila.id, day: day - 1, minute: 1_080,
                of: .init(name: "d1", title: "Dentist", day: day, minute: 990), db)
        }
        let path = try await place.path()
        #expect(try await place.lines(path).filter { $0 == "SEQUENCE:0" }.count == 2)
        app.test.advance(milliseconds: 3 * 86_400_000)
        _ = try await app.services.accounts.change(
            person: app.mila.id, .init(name: "Ludmila", timeZone: "Asia/Tokyo"), household: app.ines.household)
        for isFollowed in [false, true] {
            if isFollowed { try await app.look() }
            let lines = try await place.lines(path)
            #expect(lines.filter { $0 == "SEQUENCE:1" }.count == 2)
            #expect(lines.filter { $0 == "DTSTAMP:20261124T050000Z" }.count == 2)
            for line in [
                "DTSTART;TZID=Asia/Tokyo:20261125T070000", "DTSTART;TZID=Asia/Tokyo:20261204T163000",
                "SUMMARY:Ludmila: Dentist", "SUMMARY:Ludmila: Morning",
            ] { #expect(lines.contains(line), "\(line)") }
        }
    }

    @Test("It shows those it was made for, also when one of them leaves; one for everybody shows who comes")
    func people() async throws {
        let place = try await place()
        let app = place.app
        try await app.set("morning", app.mila)
        try await app.set("morning", app.theo)
        let ofMila = try await place.path("{\"people\":[\"\(app.mila.id)\"]}")
        let ofAll = try await place.path()
        #expect(try await place.lines(ofMila).filter { $0.hasPrefix("SUMMARY") } == ["SUMMARY:Mila: Morning"])
        #expect(try await place.lines(ofAll).filter { $0.hasPrefix("SUMMARY") }.count == 2)
        try await app.services.accounts.remove(person: app.mila.id, household: app.ines.household)
        #expect(try await place.lines(ofMila).filter { $0.hasPrefix("SUMMARY") }.isEmpty)
        #expect(try await place.lines(ofAll).filter { $0.hasPrefix("SUMMARY") } == ["SUMMARY:Theo: Morning"])
        for body in ["{\"people\":[]}", "{\"people\":[\"nobody\"]}"] {
            let refused = try await place.client.send(.post, "/api/calendar-feeds", body, token: place.token)
            #expect(refused.status == 422)
            #expect(refused["field"] as? String == "people")
        }
        let list = try await place.client.send(.get, "/api/calendar-feeds", token: place.token)
        #expect((list["feeds"] as? [Any])?.count == 2)
    }

    @Test("An address is told once, kept only as a hash, and leads nowhere when it is taken away")
    func revoked() async throws {
        let place = try await place()
        let path = try await place.path()
        let list = try await place.client.send(.get, "/api/calendar-feeds", token: place.token)
        let secret = try #require(path.split(separator: "/").last?.split(separator: ".").first)
        #expect(!list.text.contains(secret))
        let stored = try await place.app.hub.database.pool.read { db in
            try Data.fetchAll(db, sql: "SELECT token_hash FROM calendar_feed")
        }
        #expect(stored == [Secret.hash(String(secret))])
        let id = try #require((list["feeds"] as? [[String: Any]])?.first?["id"] as? String)
        let removed = try await place.client.send(.delete, "/api/calendar-feeds/\(id)", token: place.token)
        #expect(removed.status == 204)
        #expect(try await place.client.send(.get, path).status == 404)
        let again = try await place.client.send(.delete, "/api/calendar-feeds/\(id)", token: place.token)
        #expect(again.status == 404)
    }

    @Test("Whoever guesses waits after thirty tries, and a calendar that is known costs none")
    func guesses() async throws {
        let place = try await place()
        let path = try await place.path()
        for _ in 0..<40 { #expect(try await place.client.send(.get, path).status == 200) }
        for guess in 0..<30 {
            #expect(try await place.client.send(.get, "/calendar/guess\(guess).ics").status == 404)
        }
        let waiting = try await place.client.send(.get, "/calendar/guess.ics")
        #expect(waiting.status == 429)
        #expect(waiting.headers[.retryAfter] != nil)
        #expect(waiting["field"] == nil)
    }

    @Test("Addresses are an adult's to make, at most twenty")
    func adults() async throws {
        let place = try await place()
        let (token, member) = try await place.app.services.accounts.signIn(place.app.ines, agent: "tablet")
        _ = try await place.app.services.accounts.setProfile(
            place.app.mila.id, of: member, password: nil, address: "::1")
        #expect(try await place.client.send(.post, "/api/calendar-feeds", "{}", token: token).status == 403)
        #expect(try await place.client.send(.get, "/api/calendar-feeds", token: token).status == 403)
        for _ in 0..<CalendarFeeds.most { _ = try await place.path() }
        let more = try await place.client.send(.post, "/api/calendar-feeds", "{}", token: place.token)
        #expect(more.status == 409)
    }

    @Test("A household without reminders has a calendar that can be read")
    func empty() async throws {
        let place = try await place()
        let lines = try await place.lines(try await place.path())
        #expect(lines.first == "BEGIN:VCALENDAR")
        #expect(lines.contains("BEGIN:VTIMEZONE"))
        #expect(lines.suffix(2) == ["END:VCALENDAR", ""])
    }
}
