import HTTPTypes
import Storage

/// What the owner sees of the calls that left the house.
struct OutboundRoutes {
    func add(to routes: Routes) {
        routes.get(
            "/api/outbound", .adult,
            "To whom the hub spoke beyond the house, and how often; a line a host and day, for 400 days."
        ) { visit in
            let calls = try await visit.hub.outbound.calls(household: visit.member.household)
            return try .json(CallsReply(calls: calls.map(CallReply.init)))
        }
    }
}

private struct CallsReply: Codable { var calls: [CallReply] }

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
