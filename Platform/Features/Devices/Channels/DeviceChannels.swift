import HubKit
import Localization
import NIOCore
import Storage
import Synchronization

/// The channels between pages and devices: each device has one page, the last that requested it.
///
/// A device's message goes from the MQTT listener's event loop to that of the page's socket and is written there: no
/// task is woken in between, and nothing is stored.
public final class DeviceChannels: Sendable {
    private struct Holder: Sendable {
        var page: PageDevices.Handle
        var limit: RateLimit
        /// The number of messages beyond the rate that were not reported yet.
        var lost = 0
    }

    private struct State: Sendable {
        var kinds: [String: PageChannel] = [:]
        var limits = PageChannelLimits()
        var holders: [String: Holder] = [:]
        /// The ids of the devices that are subscribed to their page's messages.
        var listening: Set<String> = []
    }

    private let state = Mutex(State())
    private let counts: HubCounts

    /// Creates the channels, of which there are none before companions have theirs installed.
    public init(counts: HubCounts) { self.counts = counts }

    /// Sets the channel of a kind of device.
    public func install(_ channel: PageChannel, forKind kind: String) {
        state.withLock { state in
            state.kinds[kind] = channel
            state.limits.include(channel)
        }
    }

    /// The limits for pages, over all channels.
    var limits: PageChannelLimits { state.withLock { $0.limits } }

    /// The channel of a kind of device; nil without one.
    public func channel(ofKind kind: String) -> PageChannel? { state.withLock { $0.kinds[kind] } }

    // MARK: From pages

    /// Assigns a device to a page; the page that had it is notified.
    func attach(_ page: PageDevices.Handle, to device: String, _ channel: PageChannel) {
        let limit = RateLimit(aSecond: channel.messagesASecond, now: NIODeadline.now().uptimeNanoseconds)
        let before = state.withLock { state in
            let before = state.holders[device]?.page
            state.holders[device] = Holder(page: page, limit: limit)
            return before
        }
        if let before, before.id != page.id { before.perform { $0.lose(device, .taken(device: device)) } }
    }

    func detach(_ page: PageDevices.Handle, from device: String) {
        state.withLock { state in
            if state.holders[device]?.page.id == page.id { state.holders[device] = nil }
        }
    }

    // MARK: From devices

    /// Passes on a device's message.
    public func tell(_ bytes: ByteBuffer, of device: String, now: Int64) {
        let uptime = NIODeadline.now().uptimeNanoseconds
        let found = state.withLock { state -> (PageDevices.Handle, lost: Int)? in
            guard var holder = state.holders[device] else { return nil }
            defer { state.holders[device] = holder }
            guard holder.limit.takes(now: uptime) else {
                holder.lost += 1
                counts.count(.channelRate)
                return nil
            }
            defer { holder.lost = 0 }
            return (holder.page, holder.lost)
        }
        guard let (page, lost) = found else { return }
        let text = DeviceNews.message(device: device, bytes, now: now)
        page.perform { $0.tell(text, of: device, lostBefore: lost) }
    }

    /// Whether a device receives its page's messages: it is connected and has subscribed, or had the time to. A second
    /// after its sign-in it counts as subscribed, since a stored subscription is not repeated.
    func isListening(_ device: String) -> Bool { state.withLock { $0.listening.contains(device) } }

    /// Sets whether a device receives its page's messages. A connection that replaces the device's older one is
    /// reported as a break: a device that was reset has forgotten what it received.
    public func set(_ device: String, isListening: Bool) {
        let page = state.withLock { state -> PageDevices.Handle? in
            let isNews =
                isListening ? state.listening.insert(device).inserted : state.listening.remove(device) != nil
            return isNews ? state.holders[device]?.page : nil
        }
        page?.perform { $0.tellLink(device, isConnected: isListening) }
    }

    /// Removes a device.
    func removed(_ device: String) {
        let page = state.withLock { state in
            state.listening.remove(device)
            return state.holders.removeValue(forKey: device)?.page
        }
        page?.perform { $0.lose(device, .refused(device: device, reason: LocalizedText("This device was removed."))) }
    }
}
