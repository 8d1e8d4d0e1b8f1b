import Admission
import HTTPTypes
import HubKit
import NIOCore
import NIOHTTP1
import TLS

/// A handler that keeps requests and responses in order on one HTTP/1.1 connection, whoever writes the responses:
///
/// - each request gets one response, also one that cannot be read to its end;
/// - requests that no part of the hub should see are refused: another host than the hub's, an invalid target;
/// - every response has its security headers;
/// - a response before the end of its request closes the connection, and the rest of the request is discarded while the
///   client reads the response (RFC 9112, 9.6). Closing at once would make the client's system discard the response.
final class HTTP1AnswerHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    private enum Phase {
        case open
        /// No more is read; the problem is sent once only `left` responses are owed.
        case refusing(Problem, left: Int, isHead: Bool)
        /// The last response is on its way. Received data is discarded.
        case closing
    }

    private let hosts: OwnHosts
    private let limits: ConnectionLimits
    private let isSecure: Bool
    private var phase = Phase.open
    /// The requests without a response yet, in order: whether the answer of each promises HTTPS.
    private var unanswered: [Bool] = []
    /// The same of a request that is refused.
    private var isRefusalStrict = false
    /// Whether the body of the last request is still arriving.
    private var isReading = false
    /// Whether the head of a response was sent, and not its end.
    private var isAnswering = false
    private var closesAfterAnswer = false
    private var isFlushed = false
    private var timer: Scheduled<Void>?

    /// Creates the handler.
    ///
    /// - Parameter isSecure: whether the connection uses TLS.
    init(hosts: OwnHosts, limits: ConnectionLimits, isSecure: Bool) {
        self.hosts = hosts
        self.limits = limits
        self.isSecure = isSecure
    }

    /// The decoder for HTTP/1.1 with the hub's limits.
    static func decoder(_ limits: ConnectionLimits) -> ByteToMessageHandler<HTTPRequestDecoder> {
        var configuration = NIOHTTPDecoderLimitConfiguration()
        configuration.maxHeaderFieldSize = limits.headerBytes
        configuration.maxHeaderListSize = limits.headerBytes
        configuration.maxHeaderFieldCount = limits.headerFields
        return ByteToMessageHandler(
            HTTPRequestDecoder(leftOverBytesStrategy: .forwardBytes, limitConfiguration: configuration))
    }

    func handlerRemoved(context: ChannelHandlerContext) { timer?.cancel() }

    func channelInactive(context: ChannelHandlerContext) {
        timer?.cancel()
        context.fireChannelInactive()
    }

    // MARK: Requests

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let part = unwrapInboundIn(data)
        guard case .open = phase else {
            if case .end = part { requestEnded(context) }
            return
        }
        switch part {
        case .head(var head):
            isReading = true
            let problem = problem(of: &head, context)
            let isStrict = hosts.promisesHTTPS(
                isSecure: isSecure, host: head.headers.first(name: "host"),
                peer: context.channel.remoteAddress.flatMap { IPAddress($0) }
            ) { head.headers[$0] }
            if let problem {
                isRefusalStrict = isStrict
                return refuse(problem, after: unanswered.count, isHead: head.method == .HEAD, context)
            }
            unanswered.append(isStrict)
            context.fireChannelRead(wrapInboundOut(.head(head)))
        case .body: context.fireChannelRead(data)
        case .end:
            isReading = false
            context.fireChannelRead(data)
        }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        context.fireChannelReadComplete()
        // Whoever read the requests has no reason to read on.
        if case .open = phase { return }
        context.read()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case .closing = phase, case .inputClosed? = event as? ChannelEvent, isFlushed {
            return context.close(promise: nil)
        }
        context.fireUserInboundEventTriggered(event)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        if error is HTTPParserError, case .open = phase {
            let isOverflow = (error as? HTTPParserError) == .headerOverflow
            var problem =
                isOverflow
                ? Problem(
                    .requestHeaderFieldsTooLarge, "Too much",
                    "The request has more header fields than the \(limits.headerBytes) bytes that the hub takes.")
                : Problem(.badRequest, "Not understood", "This is no request that the hub can read.")
            problem.hasMessage = hosts.isForLegacyAlone
            // What is at fault is the request whose body comes, or else one that has not begun.
            let before = isReading ? unanswered.count - 1 : unanswered.count
            let hasBegun = isReading && before == 0 && isAnswering
            // It has no end that could be found.
            isReading = true
            if hasBegun {
                closesAfterAnswer = true
            } else {
                refuse(problem, after: before, isHead: false, context)
            }
        }
        context.fireErrorCaught(error)
    }

    /// The reason to refuse a request; nil if it is passed on, with its target as a path (RFC 9112, 3.2.1).
    private func problem(of head: inout HTTPRequestHead, _ context: ChannelHandlerContext) -> Problem? {
        let scheme = ["http://", "https://"].first { head.uri.lowercased().hasPrefix($0) }
        if let scheme, head.headers["host"].count == 1 {
            // Of a target with a host of its own, that host counts (RFC 9112, 3.2.2).
            let rest = head.uri.dropFirst(scheme.count)
            let host = rest.prefix { $0 != "/" && $0 != "?" }
            let path = rest.dropFirst(host.count)
            head.headers.replaceOrAdd(name: "host", value: String(host))
            head.uri = path.hasPrefix("/") ? String(path) : "/\(path)"
        }
        if let host = head.headers["host"].first, head.headers["host"].count == 1 {
            // Spaces around a field's value are no part of it (RFC 9112, 5.1); those behind it are still there.
            let bare = String(host.reversed().drop { $0 == " " || $0 == "\t" }.reversed())
            if bare.utf8.count < host.utf8.count { head.headers.replaceOrAdd(name: "host", value: bare) }
        }
        return hosts.problem(
            hosts: head.headers["host"], target: head.uri, isRequired: head.version != .http1_0,
            peer: context.channel.remoteAddress.flatMap { IPAddress($0) },
            local: context.channel.localAddress.flatMap { IPAddress($0) }) ?? targetProblem(head.uri)
    }

    /// The reason to refuse a target.
    private func targetProblem(_ target: String) -> Problem? {
        var problem = Problem.target(target, limits)
        problem?.hasMessage = hosts.isForLegacyAlone
        return problem
    }

    // MARK: Answers

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        if case .closing = phase {
            // A second answer to what has been refused already.
            promise?.succeed()
            return
        }
        switch unwrapOutboundIn(data) {
        case .head(var head):
            guard head.status.code >= 200 else { return context.write(data, promise: promise) }
            isAnswering = true
            SecurityHeaders.add(to: &head.headers, isStrict: unanswered.first ?? false)
            if case .open = phase, isReading, unanswered.count <= 1 { closesAfterAnswer = true }
            if closesAfterAnswer {
                head.headers.replaceOrAdd(name: "connection", value: "close")
            }
            context.write(wrapOutboundOut(.head(head)), promise: promise)
        case .body: context.write(data, promise: promise)
        case .end:
            isAnswering = false
            if !unanswered.isEmpty { unanswered.removeFirst() }
            guard closesAfterAnswer else {
                context.write(data, promise: promise)
                return refuseIfDue(context)
            }
            phase = .closing
            context.write(data, promise: closing(promise, context))
        }
    }

    private func refuse(_ problem: Problem, after count: Int, isHead: Bool, _ context: ChannelHandlerContext) {
        phase = .refusing(problem, left: unanswered.count - count, isHead: isHead)
        refuseIfDue(context)
    }

    private func refuseIfDue(_ context: ChannelHandlerContext) {
        guard case .refusing(let problem, let left, let isHead) = phase, unanswered.count <= left else { return }
        phase = .closing
        let body = problem.content()
        var headers = HTTPHeaders(problem.headers().map { ($0.name.rawName, $0.value) })
        headers.add(name: "Content-Length", value: "\(body.readableBytes)")
        headers.add(name: "Connection", value: "close")
        SecurityHeaders.add(to: &headers, isStrict: isRefusalStrict)
        let head = HTTPResponseHead(
            version: .http1_1, status: .init(statusCode: problem.code.code, reasonPhrase: problem.code.reasonPhrase),
            headers: headers)
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        if !isHead { context.write(wrapOutboundOut(.body(.byteBuffer(body))), promise: nil) }
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: closing(nil, context))
        context.read()
    }

    // MARK: The end

    /// A promise for the end of the last response.
    private func closing(_ promise: EventLoopPromise<Void>?, _ context: ChannelHandlerContext) -> EventLoopPromise<Void>
    {
        let written = promise ?? context.eventLoop.makePromise()
        let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        timer = context.eventLoop.scheduleTask(in: limits.lingering) { bound.value.1.close(promise: nil) }
        written.futureResult.whenComplete { _ in
            let (handler, context) = bound.value
            handler.isFlushed = true
            guard handler.isReading else { return context.close(promise: nil) }
            context.close(mode: .output, promise: nil)
            context.read()
        }
        return written
    }

    /// Handles the end of a request: the client has sent everything, and reads.
    private func requestEnded(_ context: ChannelHandlerContext) {
        isReading = false
        if case .closing = phase, isFlushed { context.close(promise: nil) }
    }
}
