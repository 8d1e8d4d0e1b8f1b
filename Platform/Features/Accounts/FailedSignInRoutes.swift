import HubKit
import Hummingbird
import Storage

/// The route by which adults see failed sign-ins.
struct FailedSignInRoutes {
    let accounts: Accounts
    func add(to routes: Routes) {
        routes.get(
            "/api/failed-sign-ins", .adult,
            "Wrong passwords of the last weeks, the latest first: a line an account and address and hour. Without a person, for emails that nobody here has."
        ) { request in
            let household = try request.member.household
            let people = try await accounts.people(household: household)
            return try .json(
                try await accounts.failedSignIns(household: household).map { record in
                    let person = people.first { $0.id == record.person }
                    return FailedSignInResponse(
                        person: person?.name, email: person?.email, address: record.address, tries: record.tries,
                        firstAt: record.firstAt, lastAt: record.lastAt)
                })
        }
    }
}

private struct FailedSignInResponse: Codable {
    var person, email: String?
    var address: String
    var tries: Int
    var firstAt, lastAt: Int64
}
