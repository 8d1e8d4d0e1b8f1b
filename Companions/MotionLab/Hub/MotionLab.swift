import ArgumentParser
import GRDB
import HubKit
import Localization
import ServiceLifecycle
import Storage

/// The companion for measuring: phones as instruments, what they record, and what it costs to measure.
public final class MotionLab: Companion {
    public static let slug = "lab"
    public static let title = "Lab"
    public static var sentences: StringCatalog { .motionLab }
    /// A phone with an app that sends by itself.
    public static let phoneKind = "phone"
    public static let deviceKinds = [
        DeviceKind(
            name: phoneKind, title: "Phone", topics: [.fromDevice(PhoneReader.topic)], streams: PhoneStreams.declared)
    ]
    public static let migrations = LabTables.migrations

    public static let outbound = [PhyphoxLink.use]

    public static func commands(_ place: CommandPlace) -> [any ParsableCommand.Type] {
        switch place {
        case .export: [ExportRecordingsCommand.self]
        case .simulate: [SimulatePhoneCommand.self]
        case .import: [ImportRecordingsCommand.self]
        case .top: [BarometerCommand.self]
        }
    }

    let hub: Hub
    let phones: Phones
    let meter = LabMeter()
    let queue: PushQueue
    let classes: Classes
    let phyphox = PhyphoxReaders()

    public init(hub: Hub) async throws {
        self.hub = hub
        queue = PushQueue(hub.database)
        classes = Classes(hub)
        phones = try await Phones(hub)
    }

    public var sessionFormat: (any SessionFormat)? { RecordingFormat() }

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

    public func reader(for device: DeviceRecord) -> any DeviceReader { PhoneReader(device: device, lab: self) }

    public var services: [any Service] { [classes, phyphox] }

    public func seedDemo(household: HouseholdRecord) async throws {
        try await DemoRecordings(lab: self).seed(household)
    }

    public static func removeDevice(_ device: DeviceRecord, now: Int64, _ db: Database) throws -> [LiveEvent] {
        // Its recordings stay.
        try db.execute(sql: "DELETE FROM lab_phone WHERE device = ?", arguments: [device.id])
        return []
    }

    public func removed(device: String) {
        phones.forget(device)
        phyphox.stop(device)
    }
}
