import Admission
import HTTPTypes
import HubKit
import NIOCore
import NIOHTTPTypes
import TLS

/// A handler that refuses requests for other hosts than the hub's, and gives every response its security headers: on
/// the streams of HTTP/2, and for plain HTTP on the HTTPS port. `HTTP1AnswerHandler` does it for HTTP/1.1.
final class OwnHostHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    private let hosts: OwnHosts
    private let limits: ConnectionLimits
    private let isSecure: Bool
    private var isStrict = false
    private var isRefused = false

    /// Creates the handler.
    ///
    /// - Parameter isSecure: whether the connection uses TLS.
    init(hosts: OwnHosts, limits: ConnectionLimits, isSecure: Bool) {
        self.hosts = hosts
        self.limits = limits
        self.isSecure = isSecure
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isRefused else { return }
        if case .head(let head) = unwrapInboundIn(data) {
            // A stream of HTTP/2 has no address of its own.
            let channel =
                context.channel.remoteAddress == nil ? context.channel.parent ?? context.channel : context.channel
            let more = HTTPField.Name("Host").map { head.headerFields[values: $0] } ?? []
            let named = [head.authority].compactMap { $0 }
            let problem =
                hosts.problem(
                    hosts: named.isEmpty || !isSecure ? named + more : named, target: head.path ?? "",
                    peer: channel.remoteAddress.flatMap { IPAddress($0) },
                    local: channel.localAddress.flatMap { IPAddress($0) }) ?? head.targetProblem(limits)
            isStrict = isSecure && hosts.isOrigin(head.authority)
            if let problem { return refuse(problem, head.method, context) }
        }
        context.fireChannelRead(data)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard !isRefused else {
            promise?.succeed()
            return
        }
        guard case .head(var head) = unwrapOutboundIn(data) else { return context.write(data, promise: promise) }
        SecurityHeaders.add(to: &head.headerFields, isStrict: isStrict)
        context.write(wrapOutboundOut(.head(head)), promise: promise)
    }

    private func refuse(_ problem: Problem, _ method: HTTPRequest.Method, _ context: ChannelHandlerContext) {
        isRefused = true
        let body = problem.content()
        var head = HTTPResponse(status: problem.code, headerFields: problem.headers())
        head.headerFields[.contentLength] = "\(body.readableBytes)"
        if !isSecure { head.headerFields[.connection] = "close" }
        SecurityHeaders.add(to: &head.headerFields, isStrict: isStrict)
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        if method != .head { context.write(wrapOutboundOut(.body(body)), promise: nil) }
        let bound = NIOLoopBound(context, eventLoop: context.eventLoop)
        context.writeAndFlush(wrapOutboundOut(.end(nil))).whenComplete { [isSecure] _ in
            // A stream ends with its request; to reset it before would take the answer from the client (RFC 9113, 8.1).
            if !isSecure { bound.value.close(mode: .output, promise: nil) }
        }
    }
}

extension HTTPRequest {
    /// The problem of the request's target; nil if it is valid.
    func targetProblem(_ limits: ConnectionLimits) -> Problem? { Problem.target(path ?? "", limits) }
}

extension Problem {
    /// The problem of a request's target; nil for a path, or the `*` of OPTIONS (RFC 9112, 3.2).
    static func target(_ target: String, _ limits: ConnectionLimits) -> Problem? {
        guard target.utf8.count <= limits.targetBytes else {
            return Problem(
                .uriTooLong, "Too long", "The address has more than the \(limits.targetBytes) bytes that the hub takes."
            )
        }
        guard target.hasPrefix("/") || target == "*" else {
            return Problem(.badRequest, "Not understood", "What is asked for is no path of this hub’s.")
        }
        return nil
    }
}
