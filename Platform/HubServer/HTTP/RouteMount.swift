import Accounts
import Admission
import Foundation
import GRDB
import HTTPTypes
import HubKit
import Hummingbird
import Localization
import Storage

/// The connection of routes with the router: it finds the caller, asks the policy, has what is read tagged and
/// compressed, and turns errors into problem details.
struct RouteMount {
    let services: ServerContext
    let router: Router<HubRequestContext>
    let catalog: RouteCatalog
    /// The texts of the hub and all companions.
    let sentences: StringCatalog

    func mount(_ route: Route) {
        catalog.add(route.description)
        let (method, path, access) = (route.description.method, route.description.path, route.description.access)
        let reads = method == .get ? route.description.companion : nil
        let (services, sentences) = (services, sentences)
        let hub = services.hub
        router.on(RouterPath(path), method: method) { request, context -> Response in
            do {
                let source = RequestSource(request, context, hub: hub)
                services.proxyHints.look(
                    peer: context.remoteAddress.flatMap { IPAddress($0) }, host: request.head.authority
                ) { name in HTTPField.Name(name).map { request.headers[values: $0] } ?? [] }
                let caller = try await Self.caller(
                    services, of: request, method: method, access: access, source: source)
                switch hub.policy.decision(
                    caller, access, reads: reads, now: hub.clock.now(), isThisMachine: source.isThisMachine)
                {
                case .allowed: break
                case .signInFirst: throw Problem.signInFirst
                case .adultsOnly: throw Problem.adultsOnly
                case .passwordNeeded: throw Problem.passwordNeeded
                case .notGranted: throw Problem.notGranted
                }
                // RFC 9110, 15.5.16.
                guard request.headers[values: .contentEncoding].allSatisfy({ $0.lowercased() == "identity" }) else {
                    throw Problem.compressed
                }
                let isChange = method != .get && method != .head && route.isCounted
                if isChange, case .member = access, let member = caller.member, member.profile.role == .child {
                    try services.childChanges.take(
                        member, limit: hub.policy.limits.childChangesAnHour, now: hub.clock.now())
                }
                let answer = try await route.handler(
                    APIRequest(
                        hub: hub, caller: caller, request: request, context: context, source: source,
                        sentences: sentences))
                // A HEAD comes here as the GET of its route: the router takes the body away afterwards.
                guard method == .get, caller.member != nil else { return answer.httpResponse }
                return answer.read(by: request.headers)
            } catch let error as DatabaseError {
                hub.log.error(
                    "a request could not be stored", metadata: ["path": "\(path)", "reason": "\(error.resultCode)"])
                hub.storage.failed(error)
                let problem: Problem =
                    switch StorageState.Fault(error) {
                    case .full: .diskFull
                    case .damaged: .databaseDamaged
                    case .refused, nil: .databaseFailed
                    }
                throw problem
            } catch let damage as SealedReadingsDamage {
                hub.log.error(
                    "stored readings are damaged", metadata: ["path": "\(path)", "reason": "\(damage)"])
                hub.storage.failed(damage)
                throw Problem.databaseDamaged
            } catch let error where !(error is any HTTPResponseError || error is CancellationError) {
                hub.log.error("a request failed", metadata: ["path": "\(path)", "reason": "\(error)"])
                throw Problem.hubFailed
            }
        }
    }

    private static func caller(
        _ services: ServerContext, of request: Request, method: HTTPRequest.Method, access: Access,
        source: RequestSource
    ) async throws -> Caller {
        if method != .get, method != .head {
            guard source.isOwn(origin: request.headers[.origin]) else {
                throw Problem(.forbidden, "Another page", "This request came from a page that is not the hub’s own.")
            }
        }
        let token = Credentials.token(
            authorization: request.headers[.authorization], cookies: request.headers[values: .cookie],
            isSecure: source.isSecure)
        guard let token else { return .anonymous }
        if let member = try await services.accounts.member(token: token) { return .person(member) }
        // A program sends its token in the header alone: what a browser sends by itself is a person's.
        guard request.headers[.authorization] != nil, let program = try await services.accounts.reader(token: token)
        else { return .anonymous }
        // What anybody may ask it is told as anybody: not what such a route says to whom has signed in.
        if case .anyone = access { return .anonymous }
        return .person(program)
    }
}

extension RequestSource {
    init(_ request: Request, _ context: HubRequestContext, hub: HubContext) {
        self.init(
            peer: context.remoteAddress, isSecure: request.head.scheme == "https", host: request.head.authority,
            trustedProxies: hub.settings.trustedProxies, origin: hub.settings.origin
        ) { name in HTTPField.Name(name).map { request.headers[values: $0] } ?? [] }
    }

    /// Whether a browser takes the page's origin for a trustworthy one (Secure Contexts, 3.1).
    var isTrustworthy: Bool {
        switch host.flatMap({ RequestHost($0) }) {
        case .name("localhost"): true
        case .address(let address): isSecure || address.isLoopback
        case .name, nil: isSecure
        }
    }
}

extension HTTPField.Name {
    // The literal is a valid field name, so that the initialiser answers.
    static let contentSecurityPolicy = HTTPField.Name("Content-Security-Policy")!
}

extension Problem {
    fileprivate static let compressed = Problem(
        .unsupportedMediaType, "Compressed",
        "What was sent is compressed (Content-Encoding), which the hub does not read. Send it as it is.")
    fileprivate static let diskFull = Problem(
        .serviceUnavailable, "Not stored",
        "The hub’s disk is full. Nothing was changed; free some space, then try again.")
    fileprivate static let databaseDamaged = Problem(
        .serviceUnavailable, "The database is damaged",
        "The hub’s database is damaged at this place, so this could not be done. Make a copy of the hub’s folder, then put a backup back: Settings, Backups."
    )
    fileprivate static let databaseFailed = Problem(
        .serviceUnavailable, "Not stored",
        "The hub could not read or write its database. Nothing was changed; look at its log.")
    fileprivate static let hubFailed = Problem(
        .internalServerError, "The hub failed",
        "Something in the hub went wrong; its log says what. Try again, and tell us if it stays.")
}
