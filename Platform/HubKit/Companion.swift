import ArgumentParser
import GRDB
import Localization
import ServiceLifecycle
import Storage

/// A part of the hub for one kind of device or activity: its routes, MQTT topics, database tables, reminders and
/// subcommands.
///
/// The executable lists the companions it was built with, one line each. The hub knows nothing of a companion except
/// what it declares here. Each requirement that has a default may be left out.
public protocol Companion: Sendable {
    /// The companion's name in paths, tables and migrations, such as `aquarium`.
    static var slug: String { get }
    /// The companion's name in the navigation, such as "Aquarium", in English.
    static var title: String { get }
    /// The companion's own texts, with their translations.
    static var sentences: StringCatalog { get }
    /// The kinds of devices that belong to the companion.
    static var deviceKinds: [DeviceKind] { get }
    /// The migrations of the companion's own tables, oldest first. They run after those of the platform.
    static var migrations: [Migration] { get }
    /// The protocol of the original system that the companion replaces, spoken only if the owner switches it on with
    /// `--legacy`.
    static var legacy: LegacyProtocol? { get }
    /// The hosts on the internet that the hub calls for the companion, each with its reason.
    static var outbound: [OutboundUse] { get }
    /// The companion's subcommands at one place of the command line, such as `tandem simulate plant`.
    static func commands(_ place: CommandPlace) -> [any ParsableCommand.Type]

    /// Creates the companion when the hub starts, before any listener.
    init(hub: HubContext) async throws

    /// The definition of the companion's recorded sessions; nil if it has none.
    ///
    /// With one, the platform adds the routes that receive sessions (while they are running, or as a whole
    /// afterwards), replays and stores them, and closes those that were abandoned.
    var sessionDefinition: (any SessionDefinition)? { get }
    /// Adds the companion's routes, below `/api/<slug>`.
    func addRoutes(to routes: Routes)
    /// Makes the decoder for the messages of one device, when the hub starts or first knows the device; it stays over its
    /// connections. Called on the event loop of the MQTT listener, and only for the companion's own ``deviceKinds``.
    func decoder(for device: DeviceRecord) -> any DeviceMessageDecoder
    /// Makes the handler for the messages of one anonymous client of the original system, when it connects. Called on
    /// the event loop of the MQTT listener.
    ///
    /// - Parameters:
    ///   - connection: the number of the client's connection, unique during this run of the hub.
    ///   - transactions: store what the client's messages contain.
    /// - Returns: nil if the original system has no topics.
    func legacyHandler(connection: UInt64, transactions: any MessageTransactions) -> (any LegacyMessageHandler)?
    /// Reports readings that have just been committed: the newest of each series in the batch. Readings with a time in
    /// the future of the hub's clock are left out. Called on the event loop of the MQTT listener.
    func committed(_ readings: [CommittedReading])
    /// Deletes a removed device's rows from the companion's tables. Called for devices of every kind, inside the
    /// transaction that removes the device, so that both happen or neither.
    ///
    /// - Parameter now: the time of the removal, in UTC milliseconds.
    /// - Returns: the events to send to open pages after the commit.
    static func removeDevice(_ device: DeviceRecord, now: Int64, _ db: Database) throws -> [LiveEvent]
    /// Reports that a device was removed and the transaction committed, so that a companion can forget what it holds in
    /// memory.
    func removed(device: String)
    /// The times at which devices sent last, in UTC milliseconds, by their ids: of those that send something else than
    /// readings, of which the hub knows itself. Devices of which nothing is known are left out.
    func lastHeard(of devices: [String], _ db: Database) throws -> [String: Int64]
    /// The title on screens of a quantity that its devices measure, such as "Air pressure" for `pressure`.
    static func title(ofQuantity quantity: String) -> LocalizedText
    /// Answers a request to a route of the original system, one of those that ``legacy`` declares. The caller is not
    /// signed in.
    func answer(_ route: LegacyRoute, _ request: APIRequest) async throws -> APIResponse<LegacyAnswer>
    /// The companion's tables and files in the archive of a household's data.
    static var archivePart: ArchivePart { get }
    /// Adds files to the archive in formats that other programs open, such as CSV. It may block its thread.
    static func addReadableFiles(to files: ReadableFiles) throws
    /// Adds what a person did, and what was planned for them, for programs that keep health records. It may block its thread.
    static func addHealthRecord(to record: HealthRecord) throws
    /// The services that run as long as the hub does, besides those of ``sessionDefinition``.
    var services: [any Service] { get }
    /// The kinds of daily reminders that people can switch on.
    static var reminderKinds: [ReminderKind] { get }
    /// The text of a reminder that is due; nil if there is nothing to remind of, such as when it is done already.
    func reminderText(_ due: DueReminder) async throws -> ReminderText?
    /// Whether a daily reminder would say nothing at its next time, as far as is known now: because it is done already,
    /// or because nothing is planned.
    func isSilenced(_ due: DueReminder) async throws -> Bool
    /// The values and actions that other programs of the house may show and call, such as Home Assistant.
    ///
    /// Asked for again when anything of the companion has changed and every minute, so it is to be quick.
    func entities(household: String) async throws -> [Entity]
    /// Does what another program asks of one of its ``entities(household:)``.
    ///
    /// - Throws: a `Problem` with the reason, for the log.
    func perform(_ command: EntityCommand) async throws
    /// The quantities of other makers' sensors that a device of one of its kinds can take over.
    static var adoptedKinds: [AdoptedKind] { get }
    /// The kinds of devices that the hub's own Bluetooth radio brings.
    static var bluetoothKinds: [BluetoothKind] { get }
    /// Takes what a device of one of its ``bluetoothKinds`` has broadcast, one of the household's own: up to ten times a
    /// second.
    func heard(_ broadcast: BluetoothBroadcast, of device: String, household: String) async
    /// Fills an empty household with sample data, for `tandem demo`. Called before the listeners start.
    func seedDemo(household: HouseholdRecord) async throws
}

extension Companion {
    /// No texts.
    public static var sentences: StringCatalog { StringCatalog() }
    /// No kinds of devices.
    public static var deviceKinds: [DeviceKind] { [] }
    /// No original system.
    public static var legacy: LegacyProtocol? { nil }
    /// No subcommands.
    public static func commands(_ place: CommandPlace) -> [any ParsableCommand.Type] { [] }
    /// No sessions.
    public var sessionDefinition: (any SessionDefinition)? { nil }
    /// A decoder that refuses every message.
    public func decoder(for device: DeviceRecord) -> any DeviceMessageDecoder { NoMessageDecoder() }
    /// No handler.
    public func legacyHandler(connection: UInt64, transactions: any MessageTransactions) -> (any LegacyMessageHandler)?
    { nil }
    /// Does nothing.
    public func committed(_ readings: [CommittedReading]) {}
    /// No hosts.
    public static var outbound: [OutboundUse] { [] }
    /// Deletes nothing.
    public static func removeDevice(_ device: DeviceRecord, now: Int64, _ db: Database) throws -> [LiveEvent] { [] }
    /// Does nothing.
    public func removed(device: String) {}
    /// No times besides those of readings.
    public func lastHeard(of devices: [String], _ db: Database) throws -> [String: Int64] { [:] }
    /// The name that the device gives it, as words.
    public static func title(ofQuantity quantity: String) -> LocalizedText { .name(ofQuantity: quantity) }
    /// Answers with 404 (Not Found).
    public func answer(_ route: LegacyRoute, _ request: APIRequest) async throws -> APIResponse<LegacyAnswer> {
        throw Problem.notFound("There is no page here. It may have been removed.")
    }
    /// No tables or files in the archive.
    public static var archivePart: ArchivePart { ArchivePart() }
    /// Adds no files.
    public static func addReadableFiles(to files: ReadableFiles) throws {}
    /// Adds nothing.
    public static func addHealthRecord(to record: HealthRecord) throws {}
    /// No services.
    public var services: [any Service] { [] }
    /// No reminders.
    public static var reminderKinds: [ReminderKind] { [] }
    /// No text.
    public func reminderText(_ due: DueReminder) async throws -> ReminderText? { nil }
    /// Not silenced.
    public func isSilenced(_ due: DueReminder) async throws -> Bool { false }
    /// No values and actions.
    public func entities(household: String) async throws -> [Entity] { [] }
    /// Refuses.
    public func perform(_ command: EntityCommand) async throws {
        throw Problem.notFound("There is nothing to do here.")
    }
    /// No kinds of other makers’ sensors.
    public static var adoptedKinds: [AdoptedKind] { [] }
    /// No kinds of Bluetooth devices.
    public static var bluetoothKinds: [BluetoothKind] { [] }
    /// Does nothing.
    public func heard(_ broadcast: BluetoothBroadcast, of device: String, household: String) async {}
    /// Adds no sample data.
    public func seedDemo(household: HouseholdRecord) async throws {}
}

/// The place of a subcommand on the command line.
public enum CommandPlace: Sendable {
    /// A command of its own: `tandem <command>`.
    case top
    /// A subcommand of another: `tandem simulate <command>`, `tandem import <command>`, `tandem export <command>`.
    case simulate, `import`, export
}

extension LocalizedText {
    /// The name that a device gives a quantity, as words: "Soil moisture" for `soil_moisture`.
    public static func name(ofQuantity quantity: String) -> LocalizedText {
        let words = quantity.map { $0 == "_" || $0 == "-" ? " " : String($0) }.joined()
        return LocalizedText(verbatim: words.capitalizedFirst)
    }
}
