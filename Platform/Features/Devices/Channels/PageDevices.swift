import Foundation
import HubKit
import Localization
import NIOCore
import NIOWebSocket
import Storage

/// A page's side of device channels, in the pipeline of its socket: it handles the page's text frames, and writes its
/// devices' messages.
public final class PageDevices: ChannelInboundHandler {
    /// The frames of the socket.
    public typealias InboundIn = WebSocketFrame
    /// The frames of the socket.
    public typealias InboundOut = WebSocketFrame
    /// The frames of the socket.
    public typealias OutboundOut = WebSocketFrame

    /// A reference to the handler for other event loops.
    public struct Handle: Sendable {
        let id: ObjectIdentifier
        fileprivate let loop: any EventLoop
        fileprivate let handler: NIOLoopBound<PageDevices>

        /// Runs a function on the page's event loop.
        public func perform(_ body: @escaping @Sendable (PageDevices) -> Void) {
            let handler = handler
            loop.execute { body(handler.value) }
        }
    }

    private struct Attached {
        var channel: PageChannel
        /// The rate limit for the page's messages.
        var limit: RateLimit
        /// The number of messages that the page missed because it read too slowly.
        var lost = 0
    }

    private let hub: HubContext
    private let devices: Devices
    private let channels: DeviceChannels
    /// The sign-in of the page; nil before it is known, and after it has ended.
    private var member: Member?
    /// The language of the page.
    private var language = Language.english
    private var attached: [String: Attached] = [:]
    /// The last pending notice about each device, for a page that reads too slowly.
    private var untold: [String: DeviceNews] = [:]
    /// The ids of devices that are being looked up.
    private var asked: Set<String> = []
    private var context: ChannelHandlerContext?
    private let limits: PageChannelLimits
    private var limit: RateLimit
    private var excess = 0

    /// Creates the handler of one page's socket.
    public init(hub: HubContext, devices: Devices, channels: DeviceChannels) {
        self.hub = hub
        self.devices = devices
        self.channels = channels
        limits = channels.limits
        limit = RateLimit(aSecond: limits.framesASecond, now: NIODeadline.now().uptimeNanoseconds)
    }

    /// Takes the socket.
    public func handlerAdded(context: ChannelHandlerContext) { self.context = context }

    /// Ends the page's channels.
    public func handlerRemoved(context: ChannelHandlerContext) {
        end()
        self.context = nil
    }

    /// Ends the page's channels, because the socket is closed.
    public func channelInactive(context: ChannelHandlerContext) {
        end()
        context.fireChannelInactive()
    }

    /// A reference to this handler; to be called on the event loop.
    public func handle(on loop: any EventLoop) -> Handle {
        Handle(id: ObjectIdentifier(self), loop: loop, handler: NIOLoopBound(self, eventLoop: loop))
    }

    /// Sets the sign-in and the language of the page.
    public func begin(_ member: Member, in language: Language = .english) {
        self.member = member
        self.language = language
    }

    /// Ends the page's channels, because its sign-in has ended or it is gone.
    public func end() {
        member = nil
        asked = []
        untold = [:]
        guard let context else { return }
        for device in attached.keys { channels.detach(handle(on: context.eventLoop), from: device) }
        attached = [:]
    }

    // MARK: What the page says

    /// Handles a frame of the page.
    public func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let frame = unwrapInboundIn(data)
        guard frame.opcode == .text else { return context.fireChannelRead(data) }
        let text = frame.unmaskedData
        // A text is UTF-8 as a whole, whatever its fragments are (RFC 6455, 8.1).
        guard String(validating: text.readableBytesView, as: UTF8.self) != nil else {
            return close(.dataInconsistentWithMessage, context)
        }
        guard limit.takes(now: NIODeadline.now().uptimeNanoseconds) else { return exceeded(context) }
        guard text.readableBytes <= limits.frameBytes else {
            return write(.refused(device: nil, reason: LocalizedText("This message is too long for the hub.")))
        }
        guard let said = try? JSONDecoder().decode(PageFrame.self, from: Data(text.readableBytesView)) else {
            return write(
                .refused(device: nil, reason: LocalizedText("The hub did not understand this message of the page.")))
        }
        switch said.type {
        case .attach: attach(said.device, context)
        case .detach: detach(said.device, context)
        case .send: send(said)
        }
    }

    private func exceeded(_ context: ChannelHandlerContext) {
        excess += 1
        if excess == 1 || excess % 100 == 0 {
            write(
                .refused(
                    device: nil, reason: LocalizedText("This page says more than the hub can take. Load it again.")))
        }
        if excess == limits.excess { close(.policyViolation, context) }
    }

    private func close(_ reason: WebSocketErrorCode, _ context: ChannelHandlerContext) {
        var code = ByteBuffer()
        code.write(webSocketErrorCode: reason)
        let close = WebSocketFrame(fin: true, opcode: .connectionClose, data: code)
        let bound = NIOLoopBound(context, eventLoop: context.eventLoop)
        context.writeAndFlush(wrapOutboundOut(close)).whenComplete { _ in bound.value.close(promise: nil) }
    }

    private func attach(_ device: String, _ context: ChannelHandlerContext) {
        guard let member else { return }
        if let channel = attached[device]?.channel {
            // It may be the page's way to take back what another has taken meanwhile.
            channels.attach(handle(on: context.eventLoop), to: device, channel)
            return tellLink(device, isConnected: channels.isListening(device))
        }
        guard attached.count + asked.count < limits.devices else {
            return write(
                .refused(device: device, reason: LocalizedText("A page plays with at most \(limits.devices) devices.")))
        }
        guard asked.insert(device).inserted else { return }
        let devices = devices
        let found = context.eventLoop.makeFutureWithTask {
            try await devices.device(device, household: member.household)
        }
        found.assumeIsolated().whenComplete { result in
            // Asked to detach, or ended, meanwhile.
            guard self.asked.remove(device) != nil, self.member != nil, let context = self.context else { return }
            switch result {
            case .success(let record): self.attach(record, member, context)
            case .failure(is Problem): self.refuseDevice(device)
            case .failure:
                self.write(.refused(device: device, reason: LocalizedText("The hub cannot look the device up now.")))
            }
        }
    }

    /// Attaches a device that was found.
    func attach(_ device: DeviceRecord, _ member: Member, _ context: ChannelHandlerContext) {
        let channel = channels.channel(ofKind: device.kind)
        guard let channel, hub.policy.allowsChannel(member, to: device, channel) else { return refuseDevice(device.id) }
        let limit = RateLimit(aSecond: channel.framesASecond, now: NIODeadline.now().uptimeNanoseconds)
        attached[device.id] = Attached(channel: channel, limit: limit)
        channels.attach(handle(on: context.eventLoop), to: device.id, channel)
        tellLink(device.id, isConnected: channels.isListening(device.id))
    }

    private func refuseDevice(_ device: String) {
        write(
            .refused(
                device: device,
                reason: LocalizedText("There is no such device in this house that a page can play with.")))
    }

    private func detach(_ device: String, _ context: ChannelHandlerContext) {
        asked.remove(device)
        guard attached.removeValue(forKey: device) != nil else { return }
        channels.detach(handle(on: context.eventLoop), from: device)
    }

    private func send(_ said: PageFrame) {
        guard let device = attached[said.device] else {
            return write(
                .refused(device: said.device, reason: LocalizedText("This page does not play with this device now.")))
        }
        guard let bytes = said.bytes, (1...device.channel.mostBytes).contains(bytes.readableBytes) else {
            let reason = LocalizedText("What is said to this device has 1 to \(device.channel.mostBytes) bytes.")
            return write(.refused(device: said.device, reason: reason))
        }
        guard attached[said.device]?.limit.takes(now: NIODeadline.now().uptimeNanoseconds) == true else {
            return write(
                .refused(device: said.device, reason: LocalizedText("This page says more than the device can take.")))
        }
        let topic = hub.policy.deviceTopics(said.device) + device.channel.command
        hub.messages.publish(topic: topic, payload: bytes)
    }

    // MARK: What its devices say

    /// Sends a device's message to the page.
    ///
    /// - Parameter lostBefore: the number of messages dropped by the rate limit since the last one.
    func tell(_ text: ByteBuffer, of device: String, lostBefore: Int) {
        guard let context, attached[device] != nil else { return }
        attached[device]?.lost += lostBefore
        // A page that reads slowly has as much waiting as its socket takes, and no more.
        guard context.channel.isWritable else {
            attached[device]?.lost += 1
            hub.counts.count(.slowPage)
            return
        }
        tellLost()
        write(text)
    }

    func tellLink(_ device: String, isConnected: Bool) {
        guard attached[device] != nil else { return }
        tell(.link(device: device, isConnected: isConnected), of: device)
    }

    /// Detaches a device, with a notice to the page.
    func lose(_ device: String, _ news: DeviceNews) {
        guard attached.removeValue(forKey: device) != nil else { return }
        tell(news, of: device)
    }

    /// Sends a notice about a device: later if the page reads too slowly, and then only the last one.
    private func tell(_ news: DeviceNews, of device: String) {
        guard let context else { return }
        guard context.channel.isWritable else {
            untold[device] = news
            return
        }
        untold[device] = nil
        write(news.text(in: language))
    }

    /// Sends what waited for the page to read on.
    public func channelWritabilityChanged(context: ChannelHandlerContext) {
        if context.channel.isWritable {
            let late = untold
            untold = [:]
            for news in late.values { write(news.text(in: language)) }
            tellLost()
        }
        context.fireChannelWritabilityChanged()
    }

    private func tellLost() {
        for (device, state) in attached where state.lost > 0 {
            attached[device]?.lost = 0
            write(DeviceNews.lost(device: device, count: state.lost).text(in: language))
        }
    }

    /// Sends an answer to the page's frame. A page that does not read gets none, since it would wait here for ever.
    private func write(_ news: DeviceNews) {
        guard let context, context.channel.isWritable else { return }
        write(news.text(in: language))
    }

    private func write(_ text: ByteBuffer) {
        guard let context else { return }
        context.writeAndFlush(wrapOutboundOut(WebSocketFrame(fin: true, opcode: .text, data: text)), promise: nil)
    }
}
