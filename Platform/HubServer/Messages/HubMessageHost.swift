import Foundation
import GRDB
import HubKit
import Logging
import MQTT
import NIOCore
import Storage
import Wire

/// The app as the host of the MQTT listener: it authenticates clients and handles messages, on the listener's event
/// loop.
public final class HubMessageHost: MessageHost {
    /// The handler of one connection.
    public typealias Handler = HubMessageHandler

    private static let refreshInterval = TimeAmount.seconds(5)
    private static let subscriptionTime = TimeAmount.seconds(1)

    let app: HubApplication
    let loop: any EventLoop
    /// The batch writer that collects and commits everything received.
    public let batchWriter: BatchWriter
    private var devices: [String: KnownDevice] = [:]
    private var integrations: [String: Integration] = [:]
    private var revocations = Revocations()

    /// A device that has connected, or for which an integration publishes.
    final class KnownDevice {
        /// The device's record as of the last sign-in.
        var record: DeviceRecord
        let reader: any DeviceReader
        /// The topics of its kind.
        let topics: DeviceTopics
        /// The topic of messages for its page, below its own topic.
        let answer: ByteBuffer?
        /// The topic of messages from its page.
        let command: TopicFilter?
        /// The series of its last reading, since most devices repeat one, which saves a lookup.
        var latest: Series?
        /// The number of errors in this batch, stored with it.
        var errors = 0
        var hasSpoken = false
        /// The number of messages since the last one that was read that said only what is kept already.
        var repeated = 0
        /// The times at which connections of it gave way to others lately, in UTC milliseconds.
        var gaveWayAt: [Int64] = []

        init(record: DeviceRecord, reader: any DeviceReader, topics: DeviceTopics, channel: PageChannel?) {
            self.record = record
            self.reader = reader
            self.topics = topics
            answer = channel.map { ByteBuffer(string: $0.answer) }
            command = channel.flatMap { try? TopicFilter("tandem/\(record.id)/\($0.command)") }
        }
    }

    struct Integration: Sendable {
        var household: String
        var grants: [TopicFilter]
    }

    var hub: HubContext { app.hub }
    private var services: ServerContext { app.services }

    /// Creates the host.
    ///
    /// - Parameters:
    ///   - app: the hub with its companions.
    ///   - loop: the listener's event loop, on which every call to this object is made.
    public init(app: HubApplication, loop: any EventLoop) throws {
        self.app = app
        self.loop = loop
        batchWriter = try BatchWriter(hub: app.hub, loop: loop) { readings in
            for companion in app.companions { companion.committed(readings) }
        }
        // All of them, also who has not returned yet: what is stored for them and from them is asked about before.
        let (devices, integrations) = try app.hub.database.pool.read { db in
            (
                try DeviceRecord.fetchAll(db, sql: "SELECT * FROM device WHERE removed_at IS NULL"),
                try IntegrationRecord.fetchAll(db)
            )
        }
        for record in devices { know(record) }
        for record in integrations { know(record) }
    }

    // MARK: Coming in

    private enum Found: Sendable {
        case device(DeviceRecord)
        case integration(IntegrationRecord)
    }

    /// Authenticates a client.
    public func authenticate(_ attempt: ConnectionAttempt) -> EventLoopFuture<Authentication> {
        guard let name = attempt.userName else { return loop.makeSucceededFuture(anonymous(attempt)) }
        guard attempt.allowsNamed else { return loop.makeSucceededFuture(.refused(.notAuthorized)) }
        let token = String(decoding: attempt.password ?? [], as: UTF8.self)
        return authenticate(name, token, hash: Secret.hash(token), isForPlainDevices: attempt.isForPlainDevices)
    }

    private func authenticate(
        _ name: String, _ token: String, hash: Data, isForPlainDevices: Bool
    ) -> EventLoopFuture<Authentication> {
        let began = revocations.count
        let promise = loop.makePromise(of: Found?.self)
        hub.database.pool.asyncRead { result in
            promise.completeWith(
                Result {
                    let db = try result.get()
                    if let device = try DeviceRecord.fetchOne(db, key: name), device.removedAt == nil {
                        return .device(device)
                    }
                    return try IntegrationRecord.fetchOne(db, key: name).map { .integration($0) }
                })
        }
        return promise.futureResult.assumeIsolated().flatMap { found -> EventLoopFuture<Authentication> in
            // Removed, or given another token, while it was being looked up: what was read is what it had before.
            guard !self.revocations.holds(name, since: began) else {
                return self.authenticate(name, token, hash: hash, isForPlainDevices: isForPlainDevices)
            }
            // Whose kind speaks TLS has no token to send in clear there.
            if isForPlainDevices, !self.comesWithoutTLS(found) {
                return self.loop.makeSucceededFuture(.refused(.notAuthorized))
            }
            return self.loop.makeSucceededFuture(self.authentication(of: found, name, token, hash: hash))
        }.flatMapError { error in
            self.hub.log.error("an MQTT sign-in could not be checked", metadata: ["reason": "\(error)"])
            return self.loop.makeSucceededFuture(.refused(.serverUnavailable))
        }.nonisolated()
    }

    private func comesWithoutTLS(_ found: Found?) -> Bool {
        guard case .device(let record) = found, let companion = app.companion(forKind: record.kind) else {
            return false
        }
        return type(of: companion).deviceKinds.contains { $0.name == record.kind && $0.comesWithoutTLS }
    }

    private func authentication(of found: Found?, _ name: String, _ token: String, hash: Data) -> Authentication {
        switch found {
        case .device(let record)
        where Secret.areEqual(record.tokenHash, hash) || self.hub.ephemeralTokens.holds(token, for: name):
            self.know(record)
            return .accepted(.device(id: record.id))
        case .integration(let record) where Secret.areEqual(record.tokenHash, hash):
            self.know(record)
            return .accepted(.integration(id: record.id))
        default:
            return self.hub.settings.isMQTTOpen ? .accepted(.open) : .refused(.badUserNameOrPassword)
        }
    }

    private func anonymous(_ attempt: ConnectionAttempt) -> Authentication {
        if hub.settings.isMQTTOpen, attempt.allowsNamed { return .accepted(.open) }
        // The original systems know no TLS: whoever comes with it and without a name is none of theirs.
        guard attempt.allowsAnonymous, app.legacy.contains(where: { !$0.protocol.topics.isEmpty }) else {
            return .refused(.notAuthorized)
        }
        return .accepted(.legacy(connection: attempt.connection))
    }

    @discardableResult
    private func know(_ record: DeviceRecord) -> KnownDevice? {
        if let known = devices[record.id] {
            known.record = record
            return known
        }
        guard let companion = app.companion(forKind: record.kind), let topics = app.topics(ofKind: record.kind)
        else { return nil }
        let device = KnownDevice(
            record: record, reader: companion.reader(for: record), topics: topics,
            channel: services.channels.channel(ofKind: record.kind))
        devices[record.id] = device
        return device
    }

    func know(_ record: IntegrationRecord) {
        let grants = record.filters.split(separator: "\n").compactMap { try? TopicFilter(String($0)) }
        integrations[record.id] = Integration(household: record.household, grants: grants)
    }

    /// Makes the handler for an authenticated connection.
    public func handler(for principal: Principal, clientID: String) -> HubMessageHandler {
        if case .device(let id) = principal {
            services.devices.opened(id)
            opened(id)
        }
        return handlerOfAbsent(principal, clientID: clientID)
    }

    /// Makes the handler for the will of an absent client.
    public func handlerOfAbsent(_ principal: Principal, clientID: String) -> HubMessageHandler {
        switch principal {
        case .device(let id): return HubMessageHandler(self, .device(devices[id], id: id))
        case .integration(let id): return HubMessageHandler(self, .integration(integrations[id]))
        case .legacy(let connection):
            let readers = app.legacy.compactMap { companion, legacy in
                companion.legacyReader(connection: connection, batchWriter: batchWriter).map {
                    (
                        topics: legacy.topics.filter { $0.direction == .request }.map { ByteBuffer(string: $0.name) },
                        reader: $0
                    )
                }
            }
            return HubMessageHandler(self, .legacy(readers))
        case .open, .hub: return HubMessageHandler(self, .open)
        }
    }

    /// Whether a principal has access to a topic.
    public func allows(_ principal: Principal, _ access: TopicAccess, topic: String) -> Bool {
        switch principal {
        case .device(let id): devices[id] != nil && hub.policy.allowsDevice(id, topic: topic)
        case .integration(let id):
            integrations[id].map { hub.policy.allowsIntegration(grants: $0.grants, topic: topic) } ?? false
        case .legacy: hub.policy.allowsLegacy(access, topic: topic, of: app.legacy.map(\.protocol))
        // The one topic by which Eclipse Paho's conformance suites test that a subscription is refused.
        case .open: access != .subscribe || topic != "test/nosubscribe"
        case .hub: true
        }
    }

    /// Marks a device as receiving its page's messages once it has subscribed to them.
    func subscribed(_ device: KnownDevice, to filter: TopicFilter) {
        guard let command = device.command, filter.covers(command) else { return }
        services.channels.set(device.record.id, isListening: true)
    }

    /// Marks a device that has connected as not receiving its page's messages until it subscribes; after a while it
    /// counts as subscribed, since a stored subscription is not repeated.
    private func opened(_ id: String) {
        guard devices[id]?.command != nil else { return }
        services.channels.set(id, isListening: false)
        let services = services
        loop.scheduleTask(in: Self.subscriptionTime) {
            if services.devices.isConnected(id) { services.channels.set(id, isListening: true) }
        }
    }

    /// The device of a topic below `tandem/`, for which an integration publishes.
    func device(_ id: String, ofHousehold household: String) -> KnownDevice? {
        devices[id].flatMap { $0.record.household == household ? $0 : nil }
    }

    /// Reads what commands beside the running hub have changed: new devices, new tokens, integrations added or removed.
    @discardableResult
    func refresh(_ outlet: any MessageOutlet) -> EventLoopFuture<Void> {
        struct Present: Sendable {
            var devices: [DeviceRecord]
            var integrations: [IntegrationRecord]
        }
        let began = revocations.count
        let programs = Set(integrations.keys)
        let hashes = devices.mapValues { $0.record.tokenHash }
        let promise = loop.makePromise(of: Present.self)
        hub.database.pool.asyncRead { result in
            promise.completeWith(
                Result {
                    let db = try result.get()
                    return Present(
                        devices: try DeviceRecord.fetchAll(db, sql: "SELECT * FROM device WHERE removed_at IS NULL"),
                        integrations: try IntegrationRecord.fetchAll(db))
                })
        }
        return promise.futureResult.assumeIsolated().map { present in
            for record in present.devices where !self.revocations.holds(record.id, since: began) {
                guard let known = self.devices[record.id]?.record.tokenHash else {
                    self.know(record)
                    continue
                }
                // Who has signed in with another token since the database was asked is not sent away for what was read.
                guard known != record.tokenHash, known == hashes[record.id] else { continue }
                self.know(record)
                outlet.disconnect(.device(id: record.id))
            }
            for record in present.integrations { self.know(record) }
            // Not one that was let in, and came, since the database was asked.
            for id in programs.subtracting(present.integrations.map(\.id)) {
                self.integrations[id] = nil
                outlet.remove(.integration(id: id))
            }
        }.nonisolated()
    }

    // MARK: Readings and errors

    func store(_ readings: ReadingCollector, of device: KnownDevice, now: Int64) {
        for entry in readings.entries {
            let series: Series
            if let latest = device.latest, latest.key == entry.quantity {
                series = latest
            } else if let found = batchWriter.series(device: device.record, quantity: entry.quantity, unit: entry.unit) {
                series = found
                device.latest = series
            } else {
                let reason = "This device has \(hub.settings.seriesPerDevice) series already, and gets no further one."
                report(BadMessage(reason), topic: entry.quantity, of: device, now: now)
                continue
            }
            batchWriter.add(entry.value, at: entry.at, to: series, now: now)
        }
        readings.entries.removeAll(keepingCapacity: true)
        for work in readings.work {
            let (log, id) = (hub.log, device.record.id)
            batchWriter.perform(work).whenFailure { error in
                log.error(
                    "what a device sent could not be stored", metadata: ["device": "\(id)", "reason": "\(error)"])
            }
        }
        readings.work.removeAll(keepingCapacity: true)
        if !device.hasSpoken {
            device.hasSpoken = true
            let hub = hub
            let record = device.record
            batchWriter.perform { db in hub.live.publish(.device(record.id), household: record.household, after: db) }
        }
    }

    /// Says on the device's page that a message was put aside for its topic, unless it is one that needs no care.
    func reportForeign(topic: ByteBuffer, of device: KnownDevice) {
        let foreign = ForeignTopic(topic, prefix: hub.policy.deviceTopics(device.record.id))
        guard let rejection = foreign.rejection else { return }
        report(rejection, topic: topic, of: device, now: hub.clock.now(), isCounted: false)
    }

    /// The number of repetitions for each line on the page: a bridge that comes back repeats once or twice, and a program
    /// that publishes by the clock does without end.
    private static let repetitionsPerLine = 10

    /// Counts a retained message that said again what is kept of its topic and so was not read, and says so on the device's
    /// page where nothing else comes.
    func reportRepeated(topic: ByteBuffer, of device: KnownDevice) {
        device.repeated += 1
        guard device.repeated % Self.repetitionsPerLine == 0 else { return }
        let reason =
            "Put aside: \(device.repeated) messages in a row said only what was known already, retained and each on a new"
            + " connection, as a bridge repeats what it has kept. They are no readings. A program that has measured again"
            + " publishes without retain (mosquitto_pub without -r), or with the time: {\"value\": 41.5, \"at\": …}."
        report(BadMessage(reason), topic: topic, of: device, now: hub.clock.now(), isCounted: false)
    }

    /// The number of times, and in what time, that connections drive each other out when two devices have one token: one
    /// that comes back over a bad network does so less often.
    private static let fight = (times: 4, milliseconds: 120_000 as Int64)

    /// Says on a device's page that two share its token, where connections with it drive each other out.
    public func gaveWay(_ principal: Principal) {
        guard case .device(let id) = principal, let device = devices[id] else { return }
        let now = hub.clock.now()
        device.gaveWayAt = device.gaveWayAt.filter { (0..<Self.fight.milliseconds).contains(now - $0) } + [now]
        guard device.gaveWayAt.count >= Self.fight.times else { return }
        device.gaveWayAt = []
        let reason =
            "Two devices seem to have this one’s token: they drive each other out. Add the second as a device of its own, with its own token."
        report(BadMessage(reason), topic: ByteBuffer(), of: device, now: now, isCounted: false)
    }

    /// Counts an error, stores it for the device's page, and publishes it on the device's error topic.
    ///
    /// - Parameter isCounted: whether it counts as not understood; the listener counts what it puts aside itself.
    func report(_ message: BadMessage, topic: ByteBuffer, of device: KnownDevice, now: Int64, isCounted: Bool = true) {
        // Into the log and the page as one line, which is read in its order, whatever it holds.
        let topic = String(
            String.UnicodeScalarView(
                String(buffer: topic).unicodeScalars.map { scalar in
                    let isSeen = scalar.value >= 32 && !UnseenCharacters.isControl(scalar.value)
                    return isSeen && !UnseenCharacters.isDirection(scalar.value) ? scalar : "\u{FFFD}"
                }))
        let record = device.record
        device.errors += 1
        if isCounted { hub.counts.count(.notUnderstood) }
        let body = ErrorMessage(topic: topic, message: message.reason, at: now)
        if let payload = try? JSONEncoder().encode(body) {
            hub.messages.publish(topic: "tandem/\(record.id)/errors", payload: ByteBuffer(bytes: payload))
        }
        // One write a batch, however many errors it holds.
        guard device.errors == 1 else { return }
        let hub = hub
        let counted = NIOLoopBound(device, eventLoop: loop)
        loop.assumeIsolated().execute {
            let count = counted.value.errors
            counted.value.errors = 0
            hub.log.warning(
                "a device sent what could not be understood",
                metadata: [
                    "device": "\(record.id)", "topic": "\(topic)", "reason": "\(message.reason)", "count": "\(count)",
                ])
            self.batchWriter.perform { db in
                try db.execute(
                    sql: """
                        UPDATE device SET error_count = error_count + ?, error_at = ?, error_topic = ?, error_message = ?
                        WHERE id = ?
                        """, arguments: [count, now, topic, message.reason, record.id])
                hub.live.publish(.device(record.id), household: record.household, after: db)
            }
        }
    }

    private struct ErrorMessage: Encodable {
        var topic, message: String
        var at: Int64
    }

    /// Forgets a removed device.
    func forget(_ id: String) {
        devices[id] = nil
        revoke(id)
    }

    /// Invalidates what was read of a device from the database before.
    func revoke(_ id: String) { revocations.add(id) }

    // MARK: The batch

    /// Commits everything so far, then calls `waiter`.
    public func commit(for waiter: any Acknowledger) { batchWriter.commit(for: waiter) }
    /// Whether there is room to read on.
    public func hasRoom(resume: @escaping () -> Void) -> Bool { batchWriter.hasRoom(resume: resume) }

    /// The current time, in UTC milliseconds.
    public func now() -> Int64 { hub.clock.now() }

    /// Adds a change to the batch.
    public func record(_ change: StoredChange) { batchWriter.record(change) }

    /// The changes that were stored before the hub last stopped.
    public func restore() throws -> [StoredChange] {
        try hub.database.pool.write { db in
            try MQTTSessionTables.forgetRemoved(db)
            return try MQTTSessionTables.all(db)
        }
    }

    /// Connects the hub's sender of messages with the listener.
    public func attach(_ outlet: any MessageOutlet) {
        let host = NIOLoopBound(self, eventLoop: loop)
        hub.messages.attach(
            outlet, loop: loop, forget: { device in host.value.forget(device) },
            revoke: { device in host.value.revoke(device) })
        let bound = NIOLoopBound(outlet, eventLoop: loop)
        loop.scheduleRepeatedTask(initialDelay: Self.refreshInterval, delay: Self.refreshInterval) { _ in
            host.value.refresh(bound.value)
        }
    }
}
