import ArgumentParser
import GRDB
import Localization
import NIOCore
import ServiceLifecycle
import Storage

/// What a companion brings, and all that the hub knows of it.
///
/// The executable names a companion on one line of its registry; subcommands, device kinds, navigation, topics, routes
/// and migrations come from here.
public protocol Companion: Sendable {
    /// In paths, tables and migrations: `aquarium`.
    static var slug: String { get }
    /// In navigation: "Aquarium".
    static var title: String { get }
    /// What it says, in other languages.
    static var sentences: StringCatalog { get }
    static var deviceKinds: [DeviceKind] { get }
    static var migrations: [Migration] { get }
    /// The original system's own protocol, spoken only where the owner has switched it on.
    static var legacy: LegacyProtocol? { get }
    /// To whom the hub speaks beyond the house for it, and why.
    static var outbound: [OutboundUse] { get }
    /// Subcommands, such as `tandem simulate plant`.
    static func commands(_ place: CommandPlace) -> [any ParsableCommand.Type]

    init(hub: Hub) async throws

    /// How its sessions are read, closed, gone on with, stored and spoken of: the platform takes them in while they go on
    /// and whole, and closes those that nobody goes on with. Nil where it has none.
    var sessionFormat: (any SessionFormat)? { get }
    /// Its routes, below `/api/<slug>`.
    func addRoutes(to routes: Routes)
    /// Understands what a device of one of its kinds publishes. Called on the listener's event loop; never where it has no
    /// kinds of devices.
    func reader(for device: DeviceRecord) -> any DeviceReader
    /// Understands what an anonymous client of the original system publishes. Called on the listener's event loop.
    func legacyReader(connection: UInt64, recorder: Recorder) -> (any LegacyReader)?
    /// The newest reading of each series in a batch that has just become durable, those left out that lie ahead of the hub's
    /// clock. Called on the listener's event loop.
    func committed(_ readings: [CommittedReading])
    /// Takes out of its tables what ends with a device, of any kind. Called inside the transaction that removes the
    /// device: both happen, or neither.
    ///
    /// - Parameter now: UTC milliseconds.
    /// - Returns: what open pages are sent once it is committed.
    static func removeDevice(_ device: DeviceRecord, now: Int64, _ db: Database) throws -> [LiveEvent]
    /// A device was removed, durably. For what a companion holds in memory alone.
    func removed(device: String)
    /// Answers a route of the original system, one that ``legacy`` declares. Asked by anybody, without a sign-in.
    func answer(_ route: LegacyRoute, _ request: APIRequest) async throws -> APIResponse<LegacyAnswer>
    /// Its part of the archive of all that a household has.
    static var archivePart: ArchivePart { get }
    /// Adds files of what it has to that archive, in formats that other programs open. It may block its thread.
    static func addReadableFiles(to files: ReadableFiles) throws
    /// What runs as long as the hub does, beside what ``sessionFormat`` brings.
    var services: [any Service] { get }
    /// What it can remind each person of daily.
    static var reminderKinds: [ReminderKind] { get }
    /// What to say when a reminder of its own has come; nil keeps silent, such as where it is done already.
    func reminderText(_ due: DueReminder) async throws -> ReminderText?
    /// Whether a daily reminder of its own would say nothing at its next time, as far as is known now: what it reminds of
    /// is done already, or nothing is asked then.
    func isSilenced(_ due: DueReminder) async throws -> Bool
    /// Fills an empty sample household. Runs before the listeners start.
    func seedDemo(household: HouseholdRecord) async throws
}

extension Companion {
    public static var sentences: StringCatalog { StringCatalog() }
    public static var deviceKinds: [DeviceKind] { [] }
    public static var legacy: LegacyProtocol? { nil }
    public static func commands(_ place: CommandPlace) -> [any ParsableCommand.Type] { [] }
    public var sessionFormat: (any SessionFormat)? { nil }
    public func reader(for device: DeviceRecord) -> any DeviceReader { NoDeviceReader() }
    public func legacyReader(connection: UInt64, recorder: Recorder) -> (any LegacyReader)? { nil }
    public func committed(_ readings: [CommittedReading]) {}
    public static var outbound: [OutboundUse] { [] }
    public static func removeDevice(_ device: DeviceRecord, now: Int64, _ db: Database) throws -> [LiveEvent] { [] }
    public func removed(device: String) {}
    public func answer(_ route: LegacyRoute, _ request: APIRequest) async throws -> APIResponse<LegacyAnswer> {
        throw Problem.notFound("There is no page here. It may have been removed.")
    }
    public static var archivePart: ArchivePart { ArchivePart() }
    public static func addReadableFiles(to files: ReadableFiles) throws {}
    public var services: [any Service] { [] }
    public static var reminderKinds: [ReminderKind] { [] }
    public func reminderText(_ due: DueReminder) async throws -> ReminderText? { nil }
    public func isSilenced(_ due: DueReminder) async throws -> Bool { false }
    public func seedDemo(household: HouseholdRecord) async throws {}
}

/// Where on the command line a companion's subcommand stands.
public enum CommandPlace: Sendable {
    /// `tandem <command>`
    case top
    /// `tandem simulate <command>`, and so on.
    case simulate, `import`, export
}

/// Understands what one device publishes. Lives on the listener's event loop.
public protocol DeviceReader: AnyObject {
    /// - Parameters:
    ///   - tail: the levels of the topic below `tandem/<id>/`, a slice of the bytes read.
    ///   - payload: a slice of the bytes read.
    ///   - readings: takes what the message says. What was added before an error stands: a broken humidity sensor
    ///     does not silence the soil probe beside it.
    func read(tail: ByteBuffer, payload: ByteBuffer, into readings: ReadingCollector) throws(BadMessage)
}

/// Of a companion without devices.
private final class NoDeviceReader: DeviceReader {
    func read(tail: ByteBuffer, payload: ByteBuffer, into readings: ReadingCollector) throws(BadMessage) {
        throw BadMessage("This companion has no device that sends anything.")
    }
}

/// Understands what one anonymous client of an original system publishes. Lives on the listener's event loop.
public protocol LegacyReader: AnyObject {
    /// - Parameters:
    ///   - topic: one of the protocol's ``LegacyTopic/Direction/request`` topics.
    ///   - payload: a slice of the bytes read.
    func receive(topic: ByteBuffer, payload: ByteBuffer)
    func close()
}

/// A message that was well-formed MQTT and made no sense: acknowledged, counted, shown to the owner.
public struct BadMessage: Error, Equatable {
    /// Words that say what is wrong and what was expected.
    public var reason: String

    public init(_ reason: String) { self.reason = reason }
}

/// A reading that is durable, with where it came from.
public struct CommittedReading: Sendable {
    /// The household that the device belongs to.
    public var household: String
    /// The device's id.
    public var device: String
    /// Such as `moisture`.
    public var quantity: String
    /// The series' id in the database.
    public var series: Int64
    /// UTC milliseconds.
    public var at: Int64
    /// In the quantity's unit.
    public var value: Double
}
