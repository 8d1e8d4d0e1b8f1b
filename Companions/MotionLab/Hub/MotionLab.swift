import ArgumentParser
import GRDB
import HubKit
import Localization
import ServiceLifecycle
import Storage

/// The companion for measuring: phones as instruments, what they record, and what it costs to measure.
public final class MotionLab: Companion {
    /// The companion's name in paths, tables and migrations.
    public static let slug = "lab"
    /// The companion's name in the navigation, in English.
    public static let title = "Lab"
    /// The companion's own texts, with their translations.
    public static var sentences: StringCatalog { .motionLab }
    /// A phone with an app that sends by itself.
    public static let phoneKind = "phone"
    /// The kinds of devices that belong to the companion: the phone.
    public static let deviceKinds = [
        DeviceKind(
            name: phoneKind, title: "Phone", topics: [.fromDevice(PhoneMessageDecoder.topic)],
            streams: PhoneStreams.declared)
    ]
    /// The migrations of the companion's own tables, oldest first.
    public static let migrations = LabTables.migrations

    /// The hosts that the hub calls for the companion: phones with phyphox, in the own network alone.
    public static let outbound = [PhyphoxLink.use]

    /// The companion's subcommands at one place of the command line.
    public static func commands(_ place: CommandPlace) -> [any ParsableCommand.Type] {
        switch place {
        case .export: [ExportRecordingsCommand.self]
        case .simulate: [SimulatePhoneCommand.self]
        case .import: [ImportRecordingsCommand.self]
        case .top: [BarometerCommand.self]
        }
    }

    let hub: HubContext
    let phones: Phones
    let meter = LabMeter()
    let queue: PushQueue
    let classes: Classes
    let phyphox = PhyphoxReaders()

    /// Creates the companion when the hub starts, with what is stored of its phones.
    public init(hub: HubContext) async throws {
        self.hub = hub
        queue = PushQueue(hub.database)
        classes = Classes(hub)
        phones = try await Phones(hub)
    }

    /// The format of recordings, by which the platform receives and stores them.
    public var sessionDefinition: (any SessionDefinition)? { RecordingDefinition() }

    /// Adds the companion's routes, below `/api/lab`.
    public func addRoutes(to routes: Routes) {
        SensorLoggerRoutes(lab: self).add(to: routes)
        PhoneRoutes(lab: self).add(to: routes)
        LabOverviewRoutes(lab: self).add(to: routes)
        RecordingRoutes(hub: hub).add(to: routes)
        RemovalRoutes(lab: self).add(to: routes)
        ChartRoutes(hub: hub).add(to: routes)
        ImportRoutes(hub: hub).add(to: routes)
        ExperimentRoutes(hub: hub).add(to: routes)
        PhyphoxRoutes(lab: self).add(to: routes)
        ClassRoutes(classes: classes).add(to: routes)
        ClassCurveRoutes(classes: classes).add(to: routes)
        GuestRoutes(classes: classes).add(to: routes)
        SystemRoutes(lab: self).add(to: routes)
    }

    /// Makes the reader for the messages of a phone.
    public func decoder(for device: DeviceRecord) -> any DeviceMessageDecoder {
        PhoneMessageDecoder(device: device, lab: self)
    }

    /// The services that run as long as the hub does: classes, and the readers of phyphox.
    public var services: [any Service] { [classes, phyphox] }

    /// Adds recordings to the sample household.
    public func seedDemo(household: HouseholdRecord) async throws {
        try await DemoRecordings(lab: self).seed(household)
    }

    /// Deletes the row of a removed phone. Its recordings stay.
    public static func removeDevice(_ device: DeviceRecord, now: Int64, _ db: Database) throws -> [LiveEvent] {
        // Its recordings stay.
        try db.execute(cached: "DELETE FROM lab_phone WHERE device = ?", arguments: [device.id])
        return []
    }

    /// The times at which phones sent last. After a start of the hub that is what they recorded last.
    public func lastHeard(of devices: [String], _ db: Database) throws -> [String: Int64] {
        let now = hub.clock.now()
        let rows = try Row.fetchAll(
            db,
            cached: """
                SELECT device, max(end_microseconds) AS last FROM lab_recording
                WHERE origin = 'push' AND device IN (SELECT value FROM json_each(?)) GROUP BY device
                """, arguments: [try Database.jsonText(devices)])
        // A phone's clock may be ahead.
        var heard = Dictionary(
            uniqueKeysWithValues: rows.map { ($0["device"] as String, min($0["last"] / 1_000, now) as Int64) })
        for device in devices {
            if let at = phones.heardAt(device) { heard[device] = at }
        }
        return heard
    }

    /// Forgets a removed phone, and reads it no longer.
    public func removed(device: String) {
        phones.forget(device)
        phyphox.stop(device)
    }
}
