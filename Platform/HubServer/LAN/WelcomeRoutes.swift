import Accounts
import Foundation
import HubKit
import Hummingbird
import Localization
import NIOCore
import TLS

/// The routes for a phone on which nobody has signed in: the hub's address, and how to trust it.
struct WelcomeRoutes: Sendable {
    let services: ServerContext
    let lan: LAN?

    func add(to routes: Routes) {
        routes.get(
            "/api/welcome", .anyone,
            "The hub’s one address with its QR code, its authority’s fingerprint, and how this device’s clock compares.",
            query: [.clock]
        ) { request in
            let hub = request.hub
            let household = try await hub.household()
            let origin = hub.settings.origin.map { lan?.reachable($0) ?? $0 }
            let now = hub.clock.now()
            return try .json(
                WelcomeResponse(
                    name: hub.settings.name, needsFirstAccount: try await services.accounts.isEmpty(),
                    demo: household?.isDemo ?? false, hubName: lan?.hostName, origin: origin,
                    isSecure: request.source.isSecure, authority: lan?.authority.map(WelcomeResponse.Authority.init),
                    qr: origin.flatMap { QRCodeResponse($0) },
                    announcement: lan?.announcement.map { announcement in
                        let state = announcement.state
                        return .init(isAnnounced: state.isAnnounced, words: request.localized.string(state.text))
                    },
                    clock: .init(
                        now: now,
                        words: request.query(.clock).flatMap { Int64($0) }.flatMap { clockText($0, hub: now) }
                            .map { request.localized.string($0) }
                    )))
        }
        for file in CertificateFile.allCases {
            routes.get(file.rawValue, .anyone, "The certificate of the hub’s own authority, \(file.type).") { _ in
                guard let bytes = lan?.bytes(file) else {
                    throw Problem(
                        .notFound, "No authority",
                        "This hub has no certificate authority of its own: it was started without --lan, or with a certificate of its owner’s."
                    )
                }
                return APIResponse.certificate(bytes, file)
            }
        }
    }
}

/// A sentence about a device whose clock differs from the hub's; nil within five minutes, which do not matter to
/// certificates.
///
/// - Parameters:
///   - device: the device's time, in UTC milliseconds.
///   - hub: the hub's time, in UTC milliseconds.
func clockText(_ device: Int64, hub: Int64) -> LocalizedText? {
    // Overflow is no error of ours: a device may say any number.
    let (difference, isTooFar) = device.subtractingReportingOverflow(hub)
    let minutes = isTooFar ? Int64.max : Int64(min(difference.magnitude / 60_000, UInt64(Int64.max)))
    guard minutes >= 5 else { return nil }
    let day: Int64 = 24 * 60
    let amount =
        switch minutes {
        case ..<90: LocalizedText("\(minutes) minutes")
        case ..<(2 * day): LocalizedText("\((minutes + 30) / 60) hours")
        case ..<(300 * day): LocalizedText("\((minutes + day / 2) / day) days")
        case ..<(200 * 365 * day): LocalizedText("\((minutes + 182 * day) / (365 * day)) years")
        default: LocalizedText("centuries")
        }
    let isAhead = isTooFar ? device > hub : difference > 0
    return isAhead
        ? LocalizedText(
            "This device’s clock is \(amount) ahead of the hub’s. Set the one that is wrong: until then a secure page may be refused, and times be off."
        )
        : LocalizedText(
            "This device’s clock is \(amount) behind the hub’s. Set the one that is wrong: until then a secure page may be refused, and times be off."
        )
}

private struct WelcomeResponse: Codable {
    struct Authority: Codable {
        var fingerprint: String
        var certificate = CertificateFile.der.rawValue
        var pem = CertificateFile.pem.rawValue
        var profile = CertificateFile.appleProfile.rawValue
        var validUntil: Int64

        init(_ authority: TLS.Authority) {
            fingerprint = "\(authority.fingerprint)"
            validUntil = Int64(authority.validUntil.timeIntervalSince1970 * 1000)
        }
    }
    struct Announced: Codable {
        /// Whether phones can find the hub by its name.
        var isAnnounced: Bool
        /// The state in words, with what to do about it.
        var words: String
    }
    struct Clock: Codable {
        var now: Int64
        var words: String?
    }
    /// The hub's name; not the household's, which is not for strangers.
    var name: String
    var needsFirstAccount, demo: Bool
    var hubName, origin: String?
    var isSecure: Bool
    var authority: Authority?
    var qr: QRCodeResponse?
    var announcement: Announced?
    var clock: Clock
}

extension QueryParameter {
    fileprivate static let clock = QueryParameter("clock", "What this device’s clock shows, UTC milliseconds.")
}
