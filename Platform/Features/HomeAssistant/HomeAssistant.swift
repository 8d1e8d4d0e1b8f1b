import Devices
import Foundation
import HubKit
import Localization
import Logging
import NIOCore
import Outbound
import Storage
import Synchronization

/// The hub's part in Home Assistant's discovery: what it announces of the household, and what it understands of others'
/// announcements, states and commands.
public final class HomeAssistant: ForeignMessages, Sendable {
    let hub: HubContext
    let companions: [any Companion]
    let sentences: StringCatalog
    let devices: Devices
    /// The hub as a client of the broker of the house.
    public let broker: BrokerClient
    let found = FoundSensors()
    private let nearbyDevices = Mutex<(any NearbyDevices)?>(nil)
    let adopted = AdoptedSensors()
    let kinds: [AdoptedKind]
    private let dialects: Dialects
    private let state: Mutex<State>
    /// An element after something may be there to publish.
    let wake: AsyncStream<Void>
    private let waker: AsyncStream<Void>.Continuation
    /// What other programs ask for.
    let commands: AsyncStream<Command>
    private let commander: AsyncStream<Command>.Continuation
    /// An element after an adopted sensor was announced with another topic, template or unit.
    let moves: AsyncStream<Void>
    private let mover: AsyncStream<Void>.Continuation
    /// The broker of the house, when it is chosen, changed or given up.
    let brokerSettings: AsyncStream<BrokerSettings?>
    private let brokerChange: AsyncStream<BrokerSettings?>.Continuation

    /// An action that was asked for on a topic.
    struct Command: Sendable {
        var slug: String
        var command: EntityCommand
    }

    private struct State {
        /// What each device has announced of itself, by topic.
        var ofDevices: [String: [String: MatchedSensor]] = [:]
        /// The newest readings that were not published yet.
        var readings: [Entity.Series: Double] = [:]
        var lastForeign: [String: LastForeignMessage] = [:]
        var news = News()
        var isHeard = false
        var faults = 0
        var settings: HomeAssistantSettings?
        /// What the broker of the house keeps of this hub's announcements.
        var ownBefore: Set<String> = []
        /// What is announced now, and the messages of companions that are handed on as events, with the topics for these.
        var announced: Set<String> = []
        var events: [String: String] = [:]
    }

    /// The topics that a Home Assistant is granted which an adult lets in on the page: what is announced, with states, events and
    /// commands of it, and nothing of people who do not appear.
    static let granted = [
        "homeassistant/#", "tandem/hub/#", "tandem/+/+/state", "tandem/+/+/event/+", "tandem/+/+/+/set",
    ]
    /// The age, in milliseconds, up to which a reading is how it is now; an older one waits for the next look at everything.
    private static let news: Int64 = 5 * 60_000
    /// The most devices of which announcements or messages are remembered, and the most announcements of one.
    private static let mostDevices = 1_000
    private static let mostOfDevice = 64
    /// The announcements that are not understood of which the log tells.
    private static let mostFaults = 20

    /// Creates it.
    ///
    /// - Parameters:
    ///   - hub: the services that companions use.
    ///   - companions: what is announced, and who takes over sensors.
    ///   - sentences: the texts of the hub and all companions.
    ///   - devices: the household's devices.
    public init(hub: HubContext, companions: [any Companion], sentences: StringCatalog, devices: Devices) {
        self.hub = hub
        self.companions = companions
        self.sentences = sentences.merging(.homeAssistant)
        self.devices = devices
        broker = BrokerClient(hub: hub)
        kinds = companions.flatMap { type(of: $0).adoptedKinds }
        let own = try? String(contentsOfFile: "\(hub.settings.dataFolder)/dialects.tsv", encoding: .utf8)
        dialects = Dialects((own.map { $0 + "\n" } ?? "") + Self.dialectTable, kinds)
        state = Mutex(State())
        (brokerSettings, brokerChange) = AsyncStream.makeStream(
            of: BrokerSettings?.self, bufferingPolicy: .bufferingNewest(1))
        (moves, mover) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        (wake, waker) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        // What comes faster is dropped: nobody presses so often.
        (commands, commander) = AsyncStream.makeStream(of: Command.self, bufferingPolicy: .bufferingOldest(64))
    }

    /// What has happened since the publisher looked last.
    struct News: Sendable {
        /// Whether anything but readings may have changed.
        var isAll = false
        /// Whether somebody wants to hear everything again: a Home Assistant that has started, or a broker that let the hub in.
        var isBorn = false
    }

    /// The devices that the hub's radio finds; nil without one.
    var nearby: (any NearbyDevices)? { nearbyDevices.withLock { $0 } }

    /// Sets what finds devices by the hub's radio.
    public func use(_ nearby: any NearbyDevices) { nearbyDevices.withLock { $0 = nearby } }

    /// Adds the routes of Home Assistant, of the broker of the house, and of the sensors that were found.
    public func addRoutes(to routes: Routes) { HomeAssistantRoutes(home: self).add(to: routes) }

    /// Says that something has changed.
    ///
    /// - Parameter all: whether it is more than readings.
    func changed(all: Bool) {
        if all { state.withLock { $0.news.isAll = true } }
        waker.yield()
    }

    /// Says that a broker has let the hub in: it hears everything.
    func isConnectedAnew() {
        state.withLock { state in
            state.news.isAll = true
            state.news.isBorn = true
        }
        waker.yield()
    }

    /// Gives back what has happened, since it could not be said.
    func giveBack(_ news: News) {
        state.withLock { state in
            state.news.isAll = state.news.isAll || news.isAll
            state.news.isBorn = state.news.isBorn || news.isBorn
        }
    }

    /// What has happened since this was last asked.
    func takeNews() -> News {
        state.withLock { state in
            defer { state.news = News() }
            return state.news
        }
    }

    /// The readings since they were last taken.
    func takeReadings() -> [Entity.Series: Double] {
        state.withLock { state in
            defer { state.readings.removeAll(keepingCapacity: true) }
            return state.readings
        }
    }

    /// The settings, as they were stored last.
    func settings() async throws -> HomeAssistantSettings {
        if let known = state.withLock({ $0.settings }) { return known }
        let settings = try await HomeAssistantSettings.stored(hub.settingsStore)
        state.withLock { $0.settings = settings }
        brokerChange.yield(try broker(of: settings))
        return settings
    }

    /// The broker of the house: that of `--broker`, else the one that an adult has chosen.
    func broker(of settings: HomeAssistantSettings) throws -> BrokerSettings? {
        try hub.settings.broker.map { try BrokerSettings(url: $0) } ?? settings.broker
    }

    /// Checks the address of a broker, as `--broker` has it.
    ///
    /// - Throws: a 422 problem, in words.
    public static func checkBroker(_ url: String) throws { _ = try BrokerSettings(url: url) }

    /// Stores what an adult has decided.
    func change(_ change: (inout HomeAssistantSettings) throws -> Void) async throws {
        var settings = try await settings()
        let before = settings
        try change(&settings)
        try await settings.store(hub.settingsStore)
        state.withLock { $0.settings = settings }
        if settings.broker != before.broker, hub.settings.broker == nil { brokerChange.yield(settings.broker) }
        changed(all: true)
    }

    /// Whether what is announced is heard by anybody: a program that was granted it, or the broker of the house.
    func isHeard(_ settings: HomeAssistantSettings, isConnected: Bool) async throws -> Bool {
        guard settings.isOn else { return false }
        if isConnected { return true }
        let integrations = try await hub.database.pool.read { db in
            try IntegrationRecord.fetchAll(db, cached: "SELECT * FROM integration")
        }
        return integrations.contains { record in
            record.filters.split(separator: "\n").contains { $0 == "#" || $0.hasPrefix("homeassistant/") }
        }
    }

    /// What there is to announce now, of each companion and of the hub itself: things, and those people who may appear.
    func entities(_ settings: HomeAssistantSettings, _ household: HouseholdRecord) async throws -> [(
        slug: String, entities: [Entity]
    )] {
        let releases = try await hub.database.pool.read { db in try ReleaseSettings.stored(db) }
        var all = [(slug: "hub", entities: HubEntities(hub, household, releases: releases).all)]
        for companion in companions {
            let entities = try await companion.entities(household: household.id)
            all.append(
                (
                    type(of: companion).slug,
                    entities.filter { $0.owner.person.map { settings.people.contains($0) } ?? true }
                ))
        }
        return all
    }

    /// Reads what was adopted, before the first message can come.
    public func prepare() async throws {
        try await adopted.load(hub.database)
        hub.messages.observe { [weak self] topic, payload in self?.handOn(topic, payload) }
    }

    /// Sets what is announced now: its topics, and the topics of events by those of the companions' own messages.
    func set(announced: Set<String>, events: [String: String]) {
        state.withLock { state in
            state.announced = announced
            state.events = events
        }
    }

    /// What is announced now.
    var announced: Set<String> { state.withLock { $0.announced } }

    /// Hands a companion's message on as an event, where it is announced.
    private func handOn(_ topic: String, _ payload: ByteBuffer) {
        guard let event = state.withLock({ $0.events[topic] }) else { return }
        hub.messages.publish(topic: event, payload: payload, qualityOfService: .atLeastOnce)
        broker.publish(topic: event, payload: Array(payload.readableBytesView), retain: false)
    }

    /// Stores where adopted sensors have moved to.
    func storeMoved() async {
        let moved = adopted.takeMoved()
        guard !moved.isEmpty else { return }
        do {
            try await hub.database.pool.write { db in for record in moved { try record.update(db) } }
            changed(all: true)
        } catch {
            hub.log.error("an adopted sensor's new topic could not be stored", metadata: ["reason": "\(error)"])
        }
    }

    /// Sets whether anybody hears what is published, without which no reading is remembered for it.
    func set(isHeard: Bool) { state.withLock { $0.isHeard = isHeard } }

    /// The last message of a device beside its own topics.
    func lastForeign(of device: String) -> LastForeignMessage? { state.withLock { $0.lastForeign[device] } }

    /// Takes new readings, to publish the states that they are.
    public func committed(_ readings: [CommittedReading]) {
        let now = hub.clock.now()
        let isFirst = state.withLock { state in
            guard state.isHeard else { return false }
            let isFirst = state.readings.isEmpty
            for reading in readings where now - reading.at < Self.news {
                state.readings[.init(device: reading.device, quantity: reading.quantity)] = reading.value
            }
            return isFirst && !state.readings.isEmpty
        }
        if isFirst { waker.yield() }
    }

    /// Understands announcements, the values of sensors that were adopted, what makers' firmware says by itself, and commands.
    public func understand(_ message: ForeignMessage) -> ForeignMeaning {
        let topic = Announcement.Topic(message.topic)
        // A device's token is for its own values: it calls nothing, and speaks for no other.
        if case .device(let id) = message.sender { return understand(message, topic, of: id) }
        if message.topic == "homeassistant/status" {
            if message.payload.readableBytesView.elementsEqual("online".utf8) { isConnectedAnew() }
            return .nothing
        }
        if let topic {
            announce(message, topic)
            return .nothing
        }
        if message.topic.hasPrefix("tandem/") {
            if !message.isRetained, let command = command(message) { commander.yield(command) }
            return .nothing
        }
        let place = FoundSensors.Place(message)
        let isHeard = found.note(message.payload, at: place, now: hub.clock.now())
        if let values = adopted.values(of: message.payload, at: place, isRetained: message.isRetained) {
            return ForeignMeaning(isUnderstood: true, values: values)
        }
        return isHeard ? .nothing : .none
    }

    /// Understands what a device that signed in with its own token says beside its own topics: of itself alone.
    private func understand(_ message: ForeignMessage, _ topic: Announcement.Topic?, of id: String) -> ForeignMeaning {
        remember(message, of: id)
        if let topic {
            if let sensors = sensors(message, topic) { know(sensors, of: id) }
            return .nothing
        }
        if let known = state.withLock({ $0.ofDevices[id]?[message.topic] }) {
            let value = known.template.value(of: message.payload.readableBytesUInt8Span)
            return ForeignMeaning(
                isUnderstood: true,
                values: value.map {
                    [.init(device: id, quantity: known.quantity, value: $0 * known.factor + known.offset)]
                } ?? [])
        }
        guard let values = dialects.values(topic: message.topic, payload: message.payload) else {
            return message.topic == "homeassistant/status" ? .nothing : .none
        }
        return ForeignMeaning(
            isUnderstood: true, values: values.map { .init(device: id, quantity: $0.quantity, value: $0.value) })
    }

    /// Whether a client's id is that of the hub's own client: then the broker of the house is the hub itself.
    public func isOwnClient(_ clientID: String) -> Bool { broker.isItself(clientID) }

    private func remember(_ message: ForeignMessage, of id: String) {
        let text = String(decoding: message.payload.readableBytesView.prefix(200), as: UTF8.self)
        let last = LastForeignMessage(
            topic: String(message.topic.withoutUnseenCharacters.prefix(200)), payload: text.withoutUnseenCharacters,
            at: hub.clock.now())
        state.withLock { state in
            guard state.lastForeign[id] != nil || state.lastForeign.count < Self.mostDevices else { return }
            state.lastForeign[id] = last
        }
    }

    /// The sensors of an announcement that measure what somebody takes; none for one that is taken back, and nil for one of
    /// something else, or one that is not understood.
    private func sensors(_ message: ForeignMessage, _ topic: Announcement.Topic) -> [AnnouncedSensor]? {
        do throws(Announcement.Fault) {
            switch try Announcement(topic, message.payload.readableBytesUInt8Span) {
            case .sensors(let all):
                return all.filter { sensor in
                    if case .otherQuantity = match(sensor) { false } else { true }
                }
            case .removed: return []
            case .other: return nil
            }
        } catch {
            tell(error, message.topic)
            return nil
        }
    }

    private func announce(_ message: ForeignMessage, _ topic: Announcement.Topic) {
        // The hub's own come back where it hears what it has said.
        if topic.node.hasPrefix("tandem_") || topic.object.hasPrefix("tandem_") { return noteOwn(message) }
        guard let sensors = sensors(message, topic) else { return }
        let place = FoundSensors.Place(message)
        guard found.announce(sensors, at: place, by: message.sender, household: message.household) else { return }
        if place.source == .broker { broker.subscribe(adding: Set(FoundSensors.topics(sensors, place).map(\.topic))) }
        let matched = sensors.compactMap { sensor -> MatchedSensor? in
            guard case .matched(let matched) = match(sensor) else { return nil }
            return matched
        }
        if adopted.move(matched, at: place.source) { mover.yield() }
    }

    /// Notes what the hub has announced to the broker of the house before, so that what is there no longer is taken back.
    private func noteOwn(_ message: ForeignMessage) {
        guard message.sender == .broker, message.isRetained, message.payload.readableBytes > 0,
            String(buffer: message.payload).contains("tandem/hub/\(message.household)/")
        else { return }
        state.withLock { if $0.ownBefore.count < FoundSensors.most { $0.ownBefore.insert(message.topic) } }
    }

    /// The announcements of an earlier run that are not among those of now, which is asked once for each.
    func takeOrphans(_ announced: Set<String>) -> [String] {
        state.withLock { state in
            defer { state.ownBefore = [] }
            return state.ownBefore.subtracting(announced).sorted()
        }
    }

    /// Remembers what a device says of itself: its states are its own readings.
    private func know(_ sensors: [AnnouncedSensor], of device: String) {
        let matched = sensors.compactMap { sensor -> MatchedSensor? in
            guard case .matched(let matched) = SensorMatch(sensor, kinds) else { return nil }
            return matched
        }
        state.withLock { state in
            guard state.ofDevices[device] != nil || state.ofDevices.count < Self.mostDevices else { return }
            for one in matched where state.ofDevices[device, default: [:]].count < Self.mostOfDevice {
                state.ofDevices[device, default: [:]][one.sensor.stateTopic] = one
            }
        }
    }

    private func tell(_ fault: Announcement.Fault, _ topic: String) {
        let count = state.withLock { state in
            state.faults += 1
            return state.faults
        }
        guard count <= Self.mostFaults else { return }
        hub.log.notice(
            "an announcement to Home Assistant is not understood; what it announces is not offered",
            metadata: ["topic": "\(topic.withoutUnseenCharacters.prefix(200))", "reason": "\(fault)"])
    }

    /// The command of `tandem/<slug>/<owner>/<entity>/set`; nil for another topic, or an owner or entity that is no id.
    private func command(_ message: ForeignMessage) -> Command? {
        let levels = message.topic.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        guard levels.count == 5, levels[4] == "set" else { return nil }
        return Command(
            slug: levels[1],
            command: EntityCommand(
                household: message.household, owner: levels[2], entity: levels[3],
                value: ValueTemplate.bare.value(of: message.payload.readableBytesUInt8Span)))
    }

    /// The match of an announced sensor with what the companions take over.
    func match(_ sensor: AnnouncedSensor) -> SensorMatch { SensorMatch(sensor, kinds) }
}
