import HTTPTypes
import Storage

/// What the owner sees of the calls that left the house.
struct OutboundRoutes {
    func add(to routes: Routes) {
        routes.get(
            "/api/outbound", .adult,
            "To whom the hub spoke beyond the house, and how often; a line a host and day, for 400 days. For what it may."
        ) { visit in
            let calls = try await visit.hub.outbound.calls(household: visit.member.household)
            return try .json(
                CallsReply(calls: calls.map(CallReply.init), uses: visit.hub.outbound.uses.map(UseReply.init)))
        }
    }
}

private struct CallsReply: Codable {
    var calls: [CallReply]
    /// For what the hub may call anybody.
    var uses: [UseReply]
}

private struct UseReply: Codable {
    var purpose, title, words: String
    /// Host names; `*.` before those of which every name below is meant.
    var hosts: [String]

    init(_ use: OutboundUse) {
        purpose = use.purpose
        title = use.title
        words = use.words
        hosts = use.hosts.map(\.description)
    }
}

private struct CallReply: Codable {
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
