import Admission
import HTTPTypes
import HubKit
import Localization
import Storage

/// The route by which adults see the calls to other hosts.
public struct OutboundRoutes: Sendable {
    private let outbound: Outbound

    /// Creates the routes of a client.
    public init(outbound: Outbound) { self.outbound = outbound }

    /// Adds them.
    public func add(to routes: Routes) {
        routes.get(
            "/api/outbound", .adult,
            "To whom the hub spoke beyond the house, and how often; a line a host and day, for 400 days. For what it may."
        ) { request in
            let calls = try await outbound.calls(household: request.member.household)
            let localized = request.localized
            return try .json(
                CallsResponse(
                    calls: calls.map(CallResponse.init),
                    uses: outbound.uses.map { UseResponse($0, in: localized) }))
        }
    }
}

private struct CallsResponse: Codable {
    var calls: [CallResponse]
    /// The purposes of calls.
    var uses: [UseResponse]
}

private struct UseResponse: Codable {
    var purpose, title, words: String
    /// The host names and ranges of addresses; `*.` before a domain stands for all names below it.
    var hosts: [String]

    init(_ use: OutboundUse, in localized: Localizer) {
        purpose = use.purpose
        title = localized.string(use.title)
        words = localized.string(use.words)
        hosts =
            switch use.reach {
            case .internet: use.hosts.map(\.description)
            case .privateNetwork: IPAddress.privateRanges.map(\.description)
            }
    }
}

private struct CallResponse: Codable {
    var host: String
    var purpose: String
    var day: String
    var calls: Int
    var bytes: Int
    var lastStatus: Int?
    var lastAt: Int64

    init(_ record: OutboundCallRecord) {
        host = record.host
        purpose = record.purpose
        day = record.day
        calls = record.calls
        bytes = record.bytes
        lastStatus = record.lastStatus
        lastAt = record.lastAt
    }
}
