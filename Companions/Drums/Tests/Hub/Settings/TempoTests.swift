import Foundation
import HubKit
import Storage
import Testing

@testable import DrumsEngine
@testable import DrumsHub

@Suite("How fast songs are played")
struct TempoTests {
    private let app: DrumsTestApp

    init() async throws { app = try await DrumsTestApp() }

    private func set(_ body: String) async throws -> DrumsTestApp.Answer {
        try await app.send(.put, "/api/drums/people/mila/settings", body)
    }

    private func plan(_ more: String) async throws -> DrumsTestApp.Answer {
        try await app.send(
            .put, "/api/drums/people/mila/plan", "{\"setBy\":\"Ms Okafor\",\"minutesPerWeek\":90\(more)}")
    }

    /// Delivers a song at some tempo; its id in hexadecimal.
    private func play(_ number: UInt8, tempoPercent: UInt8) async throws -> String {
        var setup = DrumsTestApp.setup("mila", id: number)
        setup.tempoPercent = tempoPercent
        let session = try DrumsTestApp.played("mila", at: app.now - 3_600_000 + Int64(number) * 300_000, setup: setup)
        #expect(try await app.deliver(session.encoded()).status == 201)
        return setup.id.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    }

    @Test("Until somebody chooses, a song is played as it is written")
    func undecided() async throws {
        let answer = try await set("{}")
        #expect(answer["settings", "tempoPercent"] as? Int == 100)
        #expect(answer["play", "tempoPercent"] as? Int == 100)
        #expect(answer["play", "tempoWords"] as? String == "Each song as it is written.")
    }

    @Test("A child’s own tempo is kept, and says that it was chosen")
    func own() async throws {
        let answer = try await set("{\"tempoPercent\":80}")
        #expect(answer["settings", "tempoPercent"] as? Int == 80)
        #expect(answer["play", "tempoPercent"] as? Int == 80)
        #expect(answer["play", "fixed"] as? [String] == [])
        #expect(
            answer["play", "tempoWords"] as? String == "80% of each song’s own tempo, as chosen in the settings.")
    }

    @Test("The plan’s tempo wins, and says whose it is; the child’s own is kept for afterwards")
    func planned() async throws {
        _ = try await set("{\"tempoPercent\":110}")
        let answer = try await plan(",\"tempoPercent\":70")
        #expect(answer["plan", "tempoPercent"] as? Int == 70)
        #expect(answer["play", "tempoPercent"] as? Int == 70)
        #expect(answer["play", "fixed"] as? [String] == ["tempoPercent"])
        #expect(answer["play", "words"] as? String == "The plan of Ms Okafor sets the tempo.")
        #expect(
            answer["play", "tempoWords"] as? String
                == "70% of each song’s own tempo, set by the plan of Ms Okafor.")
        #expect(answer["settings", "tempoPercent"] as? Int == 110)
        let ended = try await app.send(.delete, "/api/drums/people/mila/plan")
        #expect(ended["play", "tempoPercent"] as? Int == 110)
    }

    @Test("All that a plan sets is told in one sentence")
    func all() async throws {
        let answer = try await plan(",\"tempoPercent\":70,\"level\":2,\"drums\":[true,true,false,false]")
        #expect(
            answer["play", "words"] as? String == "The plan of Ms Okafor sets the level, the drums and the tempo.")
    }

    @Test("The slowest and the fastest are taken", arguments: [50, 120])
    func bounds(percent: Int) async throws {
        #expect(try await set("{\"tempoPercent\":\(percent)}")["play", "tempoPercent"] as? Int == percent)
        #expect(try await plan(",\"tempoPercent\":\(percent)")["plan", "tempoPercent"] as? Int == percent)
    }

    @Test("A tempo of 49 is refused, in the settings and in a plan")
    func tooSlow() async throws { try await refused(49) }

    @Test("A tempo of 121 is refused, in the settings and in a plan")
    func tooFast() async throws { try await refused(121) }

    private func refused(_ percent: Int) async throws {
        for answer in [
            try await set("{\"tempoPercent\":\(percent)}"), try await plan(",\"tempoPercent\":\(percent)"),
        ] {
            #expect(answer.status == 422)
            #expect(answer["field"] as? String == "tempoPercent")
            #expect(answer.detail.contains("50 to 120 percent"), "\(answer.detail)")
        }
        #expect(try await app.count("drums_settings") == 0)
        #expect(try await app.count("drums_plan") == 0)
    }

    @Test("A tempo in words is refused, and named")
    func text() async throws {
        for answer in [try await set("{\"tempoPercent\":\"fast\"}"), try await plan(",\"tempoPercent\":\"fast\"")] {
            #expect(answer.status == 400)
            #expect(answer.detail.contains("tempoPercent"), "\(answer.detail)")
        }
    }

    @Test("A tempo that is left out of the settings stays, and left out of a plan is the child’s own")
    func missing() async throws {
        _ = try await set("{\"tempoPercent\":80}")
        #expect(try await set("{\"level\":2}")["settings", "tempoPercent"] as? Int == 80)
        let answer = try await plan("")
        #expect(answer["plan", "tempoPercent"] == nil)
        #expect(answer["play", "tempoPercent"] as? Int == 80)
    }

    @Test("The tempo is stored with the session, and is in its list, its page and the table")
    func stored() async throws {
        let id = try await play(1, tempoPercent: 80)
        let page = try await app.send(.get, "/api/drums/sessions/\(id)")
        #expect(page["tempoPercent"] as? Int == 80)
        let list = try await app.send(.get, "/api/drums/sessions?person=mila")
        #expect(list["sessions", "0", "tempoPercent"] as? Int == 80)
        let table = try await app.send(.get, "/api/drums/export?person=mila&format=csv")
        let lines = table.text.split(separator: "\r\n")
        #expect(lines.first?.contains(",tempo (% of the song's own)") == true)
        #expect(lines.count == 17)
        #expect(lines.dropFirst().allSatisfy { $0.hasSuffix(",80,,,,,Mila") })
    }

    @Test("The report says at which tempos songs were played, where one was not as it is written")
    func report() async throws {
        let path = "/api/drums/report?person=mila"
        _ = try await play(1, tempoPercent: 100)
        let plain = try #require(try await app.send(.get, path)["practised"] as? String)
        #expect(!plain.contains("tempo"), "\(plain)")
        _ = try await play(2, tempoPercent: 80)
        let words = try #require(try await app.send(.get, path)["practised"] as? String)
        #expect(words.contains("at 80 to 100% of the songs’ own tempo"), "\(words)")
    }

    @Test("Songs at another tempo are not compared with the last time")
    func comparison() async throws {
        _ = try await play(1, tempoPercent: 100)
        let slower = try await play(2, tempoPercent: 80)
        let again = try await play(3, tempoPercent: 80)
        #expect(try await app.send(.get, "/api/drums/sessions/\(slower)/after")["comparison"] == nil)
        #expect(try await app.send(.get, "/api/drums/sessions/\(again)/after")["comparison"] != nil)
    }
}
