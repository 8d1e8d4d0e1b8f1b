import Foundation
import GRDB
import HubKit
import Localization
import Storage

/// The question whether there is a newer version of the hub, which is asked once a day where an adult has said where.
public struct Releases: Sendable {
    let hub: HubContext
    let outbound: Outbound

    /// The time between two questions, in milliseconds.
    static let interval: Int64 = 86_400_000
    /// The time after which a question that had no answer is asked again, in milliseconds.
    static let retryInterval: Int64 = 3_600_000

    /// Creates it.
    public init(hub: HubContext, outbound: Outbound) {
        self.hub = hub
        self.outbound = outbound
    }

    /// What is stored; nil where nobody wants to hear of new versions.
    func settings() async throws -> ReleaseSettings? {
        try await hub.database.pool.read { db in try ReleaseSettings.stored(db) }
    }

    /// Sets the project whose releases are asked for, once it has answered; nil asks nobody any more.
    ///
    /// - Throws: a 422 problem in words.
    func set(project text: String?, houseAddress: String?, household: String) async throws {
        guard let text = text?.trimmingCharacters(in: .whitespaces), !text.isEmpty else {
            try await store(nil)
            return publish(household)
        }
        let settings: ReleaseSettings
        do {
            settings = try await checked(text, houseAddress: houseAddress)
        } catch {
            throw error.problem(field: "address")
        }
        // A host is called only where it is stored that somebody has chosen it.
        let before = try await self.settings()
        try await store(settings)
        let answer = await asked(settings, household: household)
        try await store(answer.trouble == nil ? answer : before)
        if let trouble = answer.trouble { throw Problem.field("address", detail: trouble.words) }
        publish(household)
    }

    private func checked(_ text: String, houseAddress: String?) async throws(ChosenHost.Fault) -> ReleaseSettings {
        _ = try ChosenHost(url: text, houseAddress: houseAddress)
        guard let source = ReleaseSource(text) else {
            throw .refused(LocalizedText("it names no project, as https://codeberg.org/owner/project does"))
        }
        let host = try ChosenHost(url: source.newest, houseAddress: houseAddress)
        try await outbound.check(host)
        return ReleaseSettings(
            project: source.project, newest: source.newest, houseAddress: host.houseAddress?.description)
    }

    /// Asks, where somebody wants to know and it is time to.
    func askIfDue() async throws {
        guard let settings = try await settings(), let household = try await hub.household()?.id else { return }
        let now = hub.clock.now()
        // A clock that was set back since says nothing of how long that is ago.
        if let last = settings.checkedAt, last <= now,
            now < last + (settings.trouble == nil ? Self.interval : Self.retryInterval)
        {
            return
        }
        let answer = await asked(settings, household: household)
        // Somebody may have chosen another place meanwhile, or none.
        let isStored = try await hub.database.pool.write { db in
            guard try ReleaseSettings.stored(db)?.newest == settings.newest else { return false }
            try db.execute(
                cached: "UPDATE setting SET value = ? WHERE name = ?",
                arguments: [try Self.text(answer), SettingsStore.Name.releases.rawValue])
            return true
        }
        guard isStored else { return }
        publish(household)
        if answer.update != nil, answer.latest != settings.latest {
            hub.log.info("there is a newer version", metadata: ["version": "\(answer.latest ?? "")"])
        }
    }

    private func publish(_ household: String) {
        hub.live.publish(.changed(companion: "hub", what: "releases", id: household), household: household)
    }

    private func store(_ settings: ReleaseSettings?) async throws {
        try await hub.settingsStore.set(.releases, try settings.map { try Self.text($0) })
    }

    private static func text(_ settings: ReleaseSettings) throws -> String {
        String(decoding: try JSONEncoder().encode(settings), as: UTF8.self)
    }

    /// Asks which release is the newest.
    private func asked(_ settings: ReleaseSettings, household: String) async -> ReleaseSettings {
        var settings = settings
        settings.checkedAt = hub.clock.now()
        do {
            let answer = try await outbound.sendToChosen(
                OutboundCall(
                    household: household, url: settings.newest, purpose: OutboundUse.releases.purpose, method: .get,
                    // GitHub answers nobody who does not say who asks (its REST API, "User agent required").
                    headers: [("Accept", "application/json"), ("User-Agent", "tandem/\(HubVersion.current)")]))
            if let release = PublishedRelease(answer, of: settings.project) {
                (settings.latest, settings.page, settings.trouble) = (release.version, release.page, nil)
            } else {
                settings.trouble = answer.status == 404 ? .noRelease : .notUnderstood
            }
        } catch OutboundError.refused {
            settings.trouble = .notAllowed
        } catch {
            settings.trouble = .noAnswer
        }
        return settings
    }
}

/// A release, as a forge describes it.
struct PublishedRelease: Equatable {
    /// The version, without the `v` of a tag.
    var version: String
    /// The address of its page.
    var page: String

    private struct Answer: Decodable {
        var tagName: String
        var htmlUrl: String?
    }

    /// Reads a forge's answer. It is foreign: a page is taken only where it belongs to the project.
    ///
    /// - Returns: nil for what names no version.
    init?(_ answer: OutboundAnswer, of project: String) {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        guard (200...299).contains(answer.status), answer.isWhole,
            let release = try? decoder.decode(Answer.self, from: Data(answer.body)),
            ReleaseVersion(release.tagName) != nil
        else { return nil }
        version = release.tagName.hasPrefix("v") ? String(release.tagName.dropFirst()) : release.tagName
        let isOfProject = release.htmlUrl?.hasPrefix(project + "/") ?? false
        page = isOfProject ? release.htmlUrl ?? project : project
    }
}
