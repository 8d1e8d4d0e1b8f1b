import Backups
import Foundation
import HubKit
import Localization
import Outbound
import Storage

/// What the hub announces of itself: its version, its disk, its backups.
struct HubEntities {
    private let hub: HubContext
    private let owner: Entity.Owner

    private let releases: ReleaseSettings?

    /// Creates them.
    ///
    /// - Parameter releases: what is known of new versions; nil where nobody is asked.
    init(_ hub: HubContext, _ household: HouseholdRecord, releases: ReleaseSettings?) {
        self.hub = hub
        self.releases = releases
        owner = Entity.Owner(id: household.id, name: "Tandem", kind: "Hub")
    }

    /// All of them.
    var all: [Entity] {
        [
            Entity(
                of: owner, "version", LocalizedText("Version"), .words,
                .words(LocalizedText(verbatim: HubVersion.current)), isDiagnostic: true),
            Entity(
                of: owner, "disk", LocalizedText("Free on the disk"),
                .measurement(.init(unit: "GB", deviceClass: "data_size", decimals: 1)), freeGigabytes,
                isDiagnostic: true),
            Entity(
                of: owner, "backup-age", LocalizedText("Age of the newest backup"),
                .measurement(.init(unit: "h", deviceClass: "duration")), backupAge, isDiagnostic: true),
            Entity(
                of: owner, "storage-problem", LocalizedText("Nothing can be stored"), .flag(isProblem: true),
                .flag(hub.storage.fault != nil), isDiagnostic: true),
        ] + update
    }

    /// Whether there is a newer version; nothing where nobody knows.
    private var update: [Entity] {
        guard let releases, let latest = releases.latest else { return [] }
        return [
            Entity(
                of: owner, "update", LocalizedText("Update"),
                .update(latest: releases.update ?? HubVersion.current, page: releases.page),
                .words(LocalizedText(verbatim: HubVersion.current)), attributes: ["published": latest],
                isDiagnostic: true)
        ]
    }

    private var freeGigabytes: Entity.State {
        let attributes = try? FileManager.default.attributesOfFileSystem(forPath: hub.settings.dataFolder)
        guard let free = (attributes?[.systemFreeSize] as? NSNumber)?.doubleValue else { return .unknown }
        return .number(free / 1_000_000_000)
    }

    private var backupAge: Entity.State {
        Backups(hub: hub).newestAt.map { .number(Double(hub.clock.now() - $0) / 3_600_000) } ?? .unknown
    }
}
