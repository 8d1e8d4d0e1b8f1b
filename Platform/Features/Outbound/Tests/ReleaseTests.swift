import Foundation
import HubInstruments
import HubKit
import Storage
import Testing

@testable import HubServer
@testable import Outbound

/// What forges answer is by their own documents; the versions of semver.org by its clause 11.
@Suite("New versions of the hub")
struct ReleaseTests {
    @Test(
        "A project’s address leads to where its forge says which release is the newest",
        arguments: [
            // docs.github.com, "Get the latest release".
            ("https://github.com/owner/tandem", "https://api.github.com/repos/owner/tandem/releases/latest"),
            ("https://github.com/owner/tandem.git", "https://api.github.com/repos/owner/tandem/releases/latest"),
            ("https://github.com/owner/tandem/", "https://api.github.com/repos/owner/tandem/releases/latest"),
            // Forgejo's and Gitea's API, "repoGetLatestRelease".
            ("https://codeberg.org/owner/tandem", "https://codeberg.org/api/v1/repos/owner/tandem/releases/latest"),
            ("http://192.168.1.9:3000/o/t", "http://192.168.1.9:3000/api/v1/repos/o/t/releases/latest"),
            // docs.gitlab.com, "Get the latest release".
            (
                "https://gitlab.com/group/part/tandem",
                "https://gitlab.com/api/v4/projects/group%2Fpart%2Ftandem/releases/permalink/latest"
            ),
        ])
    func source(project: String, newest: String) throws {
        #expect(try #require(ReleaseSource(project)).newest == newest)
    }

    @Test(
        "An address that names no project is none",
        arguments: [
            "https://github.com", "https://github.com/owner", "https://github.com/owner/tandem/releases",
            "https://github.com/owner/../x", "https://codeberg.org/o/t?x=1", "https://codeberg.org/o/a%2Fb",
            "owner/tandem", "",
        ])
    func noSource(address: String) { #expect(ReleaseSource(address) == nil) }

    @Test("Versions come one after the other as semver.org, 11, has them")
    func order() throws {
        let versions = try ["0.1.0-rc.1", "0.1.0", "0.1.1", "0.2", "v0.10.0", "1.0.0+build.5"].map {
            try #require(ReleaseVersion($0))
        }
        for (index, one) in versions.enumerated() {
            for (place, other) in versions.enumerated() {
                #expect((one < other) == (index < place))
                #expect((one == other) == (index == place))
            }
        }
        #expect(ReleaseVersion("1.0") == ReleaseVersion("v1.0.0"))
    }

    @Test(
        "What is no version is none, such as what would be a template of Home Assistant’s",
        arguments: [
            "", "v", "1", "latest", "1.2.x", "1..2", "1.2.3.4.5", "99999999999999999999.1", "1.0-'}}{{ 7*7 }}", "1.0 ",
            "１.０",
            String(repeating: "1.", count: 30),
        ])
    func noVersion(text: String) { #expect(ReleaseVersion(text) == nil) }

    private func answer(_ body: String, status: Int = 200, isWhole: Bool = true) -> OutboundAnswer {
        OutboundAnswer(status: status, retryAfter: nil, body: Array(body.utf8), isWhole: isWhole)
    }

    @Test("A forge’s answer is read, and its page where it belongs to the project")
    func read() throws {
        let project = "https://codeberg.org/owner/tandem"
        let release = try #require(
            PublishedRelease(
                answer(#"{"tag_name": "v0.2.0", "html_url": "\#(project)/releases/tag/v0.2.0", "draft": false}"#),
                of: project))
        #expect(release.version == "0.2.0" && release.page == project + "/releases/tag/v0.2.0")
        let elsewhere = try #require(
            PublishedRelease(answer(#"{"tag_name": "0.2.0", "html_url": "javascript:alert(1)"}"#), of: project))
        #expect(elsewhere.page == project)
    }

    @Test(
        "An answer that names no release is none",
        arguments: [
            ("", 200, true), ("{}", 200, true), ("[]", 200, true), (#"{"tag_name": 3}"#, 200, true),
            (#"{"tag_name": "nightly"}"#, 200, true), (#"{"tag_name": "1.0.0"}"#, 404, true),
            (#"{"tag_name": "1.0.0"}"#, 302, true), (#"{"tag_name": "1.0.0"}"#, 200, false),
        ])
    func unread(body: String, status: Int, isWhole: Bool) {
        #expect(PublishedRelease(answer(body, status: status, isWhole: isWhole), of: "https://a.example/o/t") == nil)
    }

    @Test("There is an update where the published version is newer than the hub’s own, and else none")
    func update() {
        var settings = ReleaseSettings(project: "https://a.example/o/t", newest: "https://a.example/api")
        #expect(settings.update == nil)
        for (latest, update) in [("999.0.0", "999.0.0"), (HubVersion.current, nil), ("0.0.1", nil)]
            as [(String, String?)]
        {
            settings.latest = latest
            #expect(settings.update == update)
        }
    }

    @Test("Nobody is asked where nobody was chosen; else once a day, and after an hour where there was no answer")
    func due() async throws {
        let server = try await LocalPushService(answers: [.status(404)])
        let test = try TestHub(outbound: server.policy())
        _ = try await test.seed()
        let releases = Releases(hub: test.hub, outbound: test.services.outbound)
        func asked(after milliseconds: Int64) async throws -> Int {
            test.advance(milliseconds: milliseconds)
            try await releases.askIfDue()
            return server.received.count
        }
        func store(_ settings: ReleaseSettings) async throws {
            let text = String(decoding: try JSONEncoder().encode(settings), as: UTF8.self)
            try await test.hub.settingsStore.set(.releases, text)
        }
        #expect(try await asked(after: 0) == 0)
        var settings = ReleaseSettings(project: "https://push.test/o/t", newest: server.url("/latest"))
        try await store(settings)
        #expect(try await asked(after: 0) == 1)
        #expect(try await releases.settings()?.trouble == .noRelease)
        #expect(try await asked(after: 3_599_999) == 1)
        #expect(try await asked(after: 1) == 2)
        // As if there had been an answer.
        settings.checkedAt = test.hub.clock.now()
        try await store(settings)
        #expect(try await asked(after: 86_399_999) == 2)
        #expect(try await asked(after: 1) == 3)
        #expect(try await asked(after: -10_000) == 4)
    }
}
