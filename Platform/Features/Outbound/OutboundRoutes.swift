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
            let household = try request.member.household
            let calls = try await outbound.calls(household: household)
            let localized = request.localized
            var chosen: [ChosenResponse] = []
            for use in OutboundUse.chosen {
                let hosts = try await outbound.chosenHosts(use.purpose, household: household)
                if !hosts.isEmpty { chosen.append(ChosenResponse(use, hosts, calls, in: localized)) }
            }
            return try .json(
                CallsResponse(
                    calls: calls.map(CallResponse.init),
                    uses: outbound.uses.map { UseResponse($0, in: localized) }, chosen: chosen))
        }
    }
}

private struct CallsResponse: Codable {
    var calls: [CallResponse]
    /// The purposes of calls.
    var uses: [UseResponse]
    /// The purposes whose hosts adults have chosen, where there are any.
    var chosen: [ChosenResponse]
}

private struct ChosenResponse: Codable {
    struct Host: Codable {
        var name: String
        var port: Int
        /// The address in the house, in digits; absent for a host on the internet.
        var houseAddress: String?
        /// The time of the last call, in UTC milliseconds; absent before the first.
        var lastAt: Int64?
    }
    var purpose, title, words: String
    var hosts: [Host]

    init(_ use: OutboundUse, _ hosts: [ChosenHost], _ calls: [OutboundCallRecord], in localized: Localizer) {
        purpose = use.purpose
        title = localized.string(use.title)
        words = localized.string(use.words)
        self.hosts = hosts.map { host in
            Host(
                name: host.host, port: host.port, houseAddress: host.houseAddress?.description,
                lastAt: calls.filter { $0.host == host.host && $0.purpose == use.purpose }.map(\.lastAt).max())
        }
    }
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
