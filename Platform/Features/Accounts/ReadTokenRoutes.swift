import HubKit
import Storage

/// The routes by which adults let programs read.
struct ReadTokenRoutes: Sendable {
    let accounts: Accounts
    /// The companions that a program can be let in for.
    let companions: [CompanionSummary]

    func add(to routes: Routes) {
        routes.get(
            "/api/programs", .adult, "The programs that may read, what and of whom, and when each did last."
        ) { request in
            let readers = try await accounts.readers(household: request.member.household)
            return try .json(ProgramsResponse(programs: readers.map(ProgramResponse.init)))
        }
        routes.post(
            "/api/programs", .adult,
            "Lets a program read what is chosen, by GET and with a token that is in this answer and never again.",
            takes: ProgramInput.self
        ) { request, input in
            let known = Set(companions.map(\.slug))
            guard known.isSuperset(of: input.companions) else {
                throw Problem.field("companions", "One of these is not here any more. Load the page again.")
            }
            let (reader, token) = try await accounts.addReader(
                name: input.name, person: input.person, companions: Set(input.companions), endsAt: input.endsAt,
                by: request.member)
            return try .created(NewProgramResponse(program: ProgramResponse(reader), token: token))
        }
        routes.delete("/api/programs/{id}", .adult, "Ends a program’s reading.") { request in
            try await accounts.removeReader(request.path("id"), household: request.member.household)
            return .nothing
        }
    }
}

private struct ProgramInput: Decodable {
    var name: String
    /// The id of the person whose data it reads; absent for everyone's.
    var person: String?
    /// The slugs of the companions that it reads.
    var companions: [String]
    /// The time at which it ends, in UTC milliseconds; absent for never.
    var endsAt: Int64?
}

private struct ProgramsResponse: Codable { var programs: [ProgramResponse] }

private struct ProgramResponse: Codable {
    var id, name: String
    var person: String?
    var companions: [String]
    var createdAt: Int64
    var endsAt, usedAt: Int64?

    init(_ reader: Accounts.Reader) {
        id = reader.record.id
        name = reader.record.name
        person = reader.record.person
        companions = reader.companions
        createdAt = reader.record.createdAt
        endsAt = reader.record.endsAt
        usedAt = reader.record.usedAt
    }
}

private struct NewProgramResponse: Codable {
    var program: ProgramResponse
    var token: String
}
