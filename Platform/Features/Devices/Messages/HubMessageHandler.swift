import HubKit
import Logging
import MQTT
import NIOCore

/// The hub's handler of one MQTT connection, on the listener's event loop.
public final class HubMessageHandler: MessageHandler {
    enum Role {
        case device(KnownDevice?, id: String)
        case integration(KnownIntegration?)
        case legacy([(topics: [ByteBuffer], handler: any LegacyMessageHandler)])
        case open
    }

    private let delegate: HubBrokerDelegate
    private let role: Role
    private let prefix: ByteBuffer
    private let readings = ReadingCollector()
    /// The classified topic of the device's last message, since most devices repeat one.
    private var latest: Place?

    /// A topic as classified for a device.
    private struct Place {
        var topic: ByteBuffer
        /// The topic below the device's own.
        var tail: ByteBuffer
        /// Whether the message is for the device's decoder.
        var isFromDevice: Bool
    }

    init(_ delegate: HubBrokerDelegate, _ role: Role) {
        self.delegate = delegate
        self.role = role
        if case .device(_, let id) = role {
            prefix = ByteBuffer(string: delegate.hub.policy.deviceTopics(id))
        } else {
            prefix = ByteBuffer()
        }
    }

    /// Handles a message.
    public func receive(
        topic: ByteBuffer, payload: ByteBuffer, retain: Bool, repetition: Repetition = .none
    ) -> PublishOutcome {
        switch role {
        case .device(let device, _):
            guard let device else { return .foreign }
            guard let place = place(of: topic, device) else {
                let message = ForeignMessage(
                    topic: String(buffer: topic), payload: payload, isRetained: false,
                    sender: .device(device.record.id), household: device.record.household)
                let (isUnderstood, stores) = delegate.takeForeign(message)
                // Handed on to nobody, since the topic is not its own: only what it measures is taken.
                if stores { return .taken(relay: false) }
                if !isUnderstood { delegate.ingest.reportForeign(topic: topic, of: device) }
                return .foreign
            }
            guard !Self.isOld(repetition, payload) else {
                delegate.ingest.reportRepeated(topic: topic, of: device)
                return .taken(relay: true, stores: false)
            }
            read(device, place, payload: payload)
            return .taken(relay: true)
        case .integration(let integration):
            guard let integration else { return .foreign }
            let text = String(buffer: topic)
            guard delegate.hub.policy.allowsIntegration(grants: integration.grants, topic: text) else {
                return .foreign
            }
            var isReading = false
            let levels = text.split(separator: "/", maxSplits: 2, omittingEmptySubsequences: false)
            // A program that speaks for a sensor; its commands to devices go the other way and are only handed on.
            if levels.count < 3 || levels[0] != "tandem" || delegate.isOfCompanion(levels[1]) {
                let message = ForeignMessage(
                    topic: text, payload: payload, isRetained: Self.isOld(repetition, payload),
                    sender: .integration(integration.id), household: integration.household)
                isReading = delegate.takeForeign(message).stores
            } else {
                let id = String(levels[1])
                guard let device = delegate.directory.device(id, ofHousehold: integration.household) else {
                    delegate.ingest.reportUnknown(device: id)
                    return .taken(relay: true, stores: false)
                }
                let tail = ByteBuffer(substring: levels[2])
                if device.topics.isFromDevice(tail) {
                    if Self.isOld(repetition, payload) {
                        delegate.ingest.reportRepeated(topic: topic, of: device)
                    } else {
                        read(device, Place(topic: topic, tail: tail, isFromDevice: true), payload: payload)
                        isReading = true
                    }
                }
            }
            return .taken(relay: true, stores: isReading)
        case .legacy(let handlers):
            guard let found = handlers.first(where: { $0.topics.contains(topic) }) else { return .foreign }
            found.handler.receive(topic: topic, payload: payload)
            return .taken(relay: false)
        case .open: return .taken(relay: true, stores: false)
        }
    }

    /// Whether a retained message says only what it has said before: no reading is made of it, and its device is not heard
    /// by it.
    ///
    /// So it is where it comes again with another connection; or with the one that is there, as Zigbee2MQTT publishes what it
    /// has kept, with the time at which it heard the device last.
    private static func isOld(_ repetition: Repetition, _ payload: ByteBuffer) -> Bool {
        switch repetition {
        case .none: false
        case .again, .overtaken: true
        case .same: payload.readableBytesView.firstRange(of: lastSeen) != nil
        }
    }

    private static let lastSeen = Array(#""last_seen""#.utf8)

    /// Handles a subscription.
    public func subscribed(to filter: TopicFilter) {
        guard case .device(let device?, _) = role else { return }
        delegate.subscribed(device, to: filter)
    }

    private func place(of topic: ByteBuffer, _ device: KnownDevice) -> Place? {
        if let latest, latest.topic == topic { return latest }
        guard let tail = tail(of: topic) else { return nil }
        let place = Place(topic: topic, tail: tail, isFromDevice: device.topics.isFromDevice(tail))
        latest = place
        return place
    }

    private func tail(of topic: ByteBuffer) -> ByteBuffer? {
        guard topic.readableBytes > prefix.readableBytes,
            topic.readableBytesView.prefix(prefix.readableBytes).elementsEqual(prefix.readableBytesView)
        else { return nil }
        return topic.getSlice(
            at: topic.readerIndex + prefix.readableBytes, length: topic.readableBytes - prefix.readableBytes)
    }

    /// The beginning of the topics about a device's firmware, below its own.
    private static let firmware = Array("firmware/".utf8)

    /// The rest of a topic about firmware; nil for another.
    private static func aboutFirmware(_ tail: ByteBuffer) -> String? {
        guard tail.readableBytesView.starts(with: firmware) else { return nil }
        return String(decoding: tail.readableBytesView.dropFirst(firmware.count), as: UTF8.self)
    }

    private func read(_ device: KnownDevice, _ place: Place, payload: ByteBuffer) {
        let now = delegate.hub.clock.now()
        device.repeated = 0
        do throws(BadMessage) {
            if let name = Self.aboutFirmware(place.tail) {
                // A program that speaks for a device does not speak for its board.
                guard case .device = role else { throw BadMessage("A device alone speaks of its firmware.") }
                try delegate.boards.receive(name, payload: payload, of: device.record, into: readings)
                return delegate.ingest.store(readings, of: device, now: now)
            }
            guard place.isFromDevice else { throw device.topics.rejection(of: place.tail) }
            try device.decoder.decode(tail: place.tail, payload: payload, into: readings)
            if place.tail == device.answer {
                delegate.context.channels.tell(payload, of: device.record.id, now: now)
            }
        } catch {
            delegate.ingest.report(error, topic: place.topic, of: device, now: now)
        }
        delegate.ingest.store(readings, of: device, now: now)
    }

    /// Handles the end of the connection.
    public func close() {
        switch role {
        case .device(_, let id):
            delegate.context.devices.closed(id)
            if !delegate.context.devices.isConnected(id) {
                delegate.context.channels.set(id, isListening: false)
            }
        case .legacy(let handlers): for (_, handler) in handlers { handler.close() }
        case .integration, .open: break
        }
    }
}
