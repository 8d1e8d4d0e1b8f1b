import BlueZ
import Devices
import HubKit
import Logging
import NIOCore
import Synchronization

/// The connections to the household's devices that speak by a serial service: what they notify is for the page that holds
/// them, and what that page sends is written to them. Nothing of it is stored.
actor BluetoothLinks {
    private struct Link {
        var device: String
        var notified: BluetoothCharacteristic
        var mostBytes: Int
        var topic: String
    }

    private let bluetooth: Bluetooth
    private let radio: BluetoothRadio
    /// Something that takes its time, in a task of its own.
    private enum Work: Sendable {
        /// A device is connected to, by its address.
        case connect(String)
        /// Messages of pages are written, one after the other.
        case write(AsyncStream<[UInt8]>, BluetoothCharacteristic)
    }

    private var links: [String: Link] = [:]
    private var connecting: Set<String> = []
    private var triedAt: [String: ContinuousClock.Instant] = [:]
    /// Where pages' messages go, by their topics.
    private let outlets = Mutex<[String: AsyncStream<[UInt8]>.Continuation]>([:])
    private let work: AsyncStream<Work>
    private let worker: AsyncStream<Work>.Continuation

    /// The least time between two attempts to connect to a device.
    private static let pause = Duration.seconds(5)
    /// The most messages of a page that wait to be written; the oldest go first.
    private static let mostWaiting = 64

    init(bluetooth: Bluetooth, radio: BluetoothRadio) {
        self.bluetooth = bluetooth
        self.radio = radio
        (work, worker) = AsyncStream.makeStream(of: Work.self)
    }

    /// Connects to devices as they are heard, until it is cancelled.
    func run() async {
        await withDiscardingTaskGroup { group in
            for await one in work {
                group.addTask {
                    switch one {
                    case .connect(let address): await self.connect(address)
                    case .write(let messages, let characteristic): await self.write(messages, to: characteristic)
                    }
                }
            }
        }
    }

    /// Connects to a device that was heard, if it is one of the household's that speaks by a service.
    func heard(_ address: String) {
        guard links[address] == nil, !connecting.contains(address),
            let (_, kind) = bluetooth.adopted(address), kind.service != nil
        else { return }
        if let last = triedAt[address], .now - last < Self.pause { return }
        triedAt[address] = .now
        connecting.insert(address)
        worker.yield(.connect(address))
    }

    private func connect(_ address: String) async {
        defer { connecting.remove(address) }
        guard let (adopted, kind) = bluetooth.adopted(address), let service = kind.service,
            let channel = bluetooth.channel(ofKind: kind.kind)
        else { return }
        do throws(BluetoothRadio.Fault) {
            let characteristics = try await radio.connect(to: address)
            guard let notified = Self.chosen(characteristics, service.notified, ["notify", "indicate"]) else {
                throw .noCharacteristic(service.notified)
            }
            // A central reads it once before it listens (RP-052): a device that is to be paired asks for it then.
            if notified.flags.contains("read") { _ = try? await radio.read(notified) }
            try await radio.listen(to: notified)
            let topic = "tandem/\(adopted.device)/\(channel.command)"
            links[address] = Link(
                device: adopted.device, notified: notified, mostBytes: channel.mostBytes, topic: topic)
            if let uuid = service.written,
                let written = Self.chosen(characteristics, uuid, ["write", "write-without-response"])
            {
                let (messages, outlet) = AsyncStream.makeStream(
                    of: [UInt8].self, bufferingPolicy: .bufferingNewest(Self.mostWaiting))
                outlets.withLock { $0.updateValue(outlet, forKey: topic) }?.finish()
                worker.yield(.write(messages, written))
            }
            bluetooth.devices.opened(adopted.device)
            bluetooth.channels.set(adopted.device, isListening: true)
        } catch {
            bluetooth.hub.log.notice(
                "a Bluetooth device was heard, and did not let the hub in",
                metadata: ["device": "\(adopted.device)", "reason": "\(error)"])
            await radio.disconnect(from: address)
        }
    }

    /// The characteristic of a name that can do what is wanted; else any that can, for a kit that has the two swapped, as older
    /// papers of Nordic do.
    private static func chosen(
        _ characteristics: [BluetoothCharacteristic], _ uuid: String, _ flags: Set<String>
    ) -> BluetoothCharacteristic? {
        let able = characteristics.filter { !$0.flags.isDisjoint(with: flags) }
        return able.first { $0.uuid == uuid } ?? able.first
    }

    /// Writes what pages send, one after the other, until the connection ends.
    private nonisolated func write(_ messages: AsyncStream<[UInt8]>, to characteristic: BluetoothCharacteristic) async {
        // Without an answer it is on its way a whole exchange earlier; the radio repeats what got lost either way.
        let withResponse = !characteristic.flags.contains("write-without-response")
        for await message in messages {
            try? await radio.write(message, to: characteristic, withResponse: withResponse)
        }
    }

    /// Takes a message of a page; from any thread.
    nonisolated func send(_ bytes: [UInt8], to topic: String) { outlets.withLock { $0[topic] }?.yield(bytes) }

    /// Hands a device's message to the page that holds it.
    func notified(_ characteristic: BluetoothCharacteristic, _ bytes: [UInt8]) {
        guard let link = links.values.first(where: { $0.notified.isSame(as: characteristic) }) else { return }
        let now = bluetooth.hub.clock.now()
        var rest = bytes[...]
        // A newer radio brings more at once than a kit in the network says in a message.
        while !rest.isEmpty {
            bluetooth.channels.tell(ByteBuffer(bytes: rest.prefix(link.mostBytes)), of: link.device, now: now)
            rest = rest.dropFirst(link.mostBytes)
        }
    }

    /// Notes that a connection has ended.
    func ended(_ address: String) {
        guard let link = links.removeValue(forKey: address) else { return }
        outlets.withLock { $0.removeValue(forKey: link.topic) }?.finish()
        bluetooth.devices.closed(link.device)
        bluetooth.channels.set(link.device, isListening: false)
    }

    /// Ends the connections to devices that are not the household's any more.
    func endRemoved() async {
        for (address, link) in links where bluetooth.adopted(address)?.device.device != link.device {
            ended(address)
            await radio.disconnect(from: address)
        }
    }

    /// Ends all connections, since the radio is gone.
    func endAll() {
        for address in links.keys { ended(address) }
        worker.finish()
    }
}
