import Foundation
import GRDB
import HubKit
import Storage
import TriviaToyEngine

/// The routes to what somebody hears next, and to what they have heard.
struct ListeningRoutes: Sendable {
    let toy: TriviaToy

    private static let person = "/api/toy/people/{person}"

    func add(to routes: Routes) {
        addNext(to: routes)
        addHistory(to: routes)
        addSettings(to: routes)
    }

    private func addNext(to routes: Routes) {
        routes.get(
            "\(Self.person)/next", .member,
            "The fact that somebody hears next: none that was heard while there are others, by categories and age, better-voted sooner; with a recorded message, where one waits to be heard in its place. In quiet hours there is neither, and beyond the limit of a day no fact."
        ) { request in
            let member = try request.member
            let (hub, id, now) = (request.hub, try request.path("person"), request.hub.clock.now())
            let localized = request.localized
            try await toy.prepare(member.household)
            let known = try await hub.database.pool.read { db in
                _ = try Subject.read(id, by: member, hub, now: now, db)
                return try FactQueue.known(person: id, db)
            }
            if known == nil {
                _ = try await hub.database.pool.write { db in
                    try FactQueue.listener(person: id, household: member.household, db)
                }
            }
            return try .json(
                try await hub.database.pool.read { db in
                    let subject = try Subject.read(id, by: member, hub, now: now, db)
                    var response = NextResponse(silence: try HouseSilence(for: subject, in: localized, db))
                    guard response.silence?.reason != .quietHours else { return response }
                    response.message = try MessageRecord.next(for: id, db).map { MessageResponse($0) }
                    guard response.silence == nil else { return response }
                    guard let listener = try FactQueue.known(person: id, db) else { return response }
                    let filter = try ListeningSettings.factFilter(of: subject, db)
                    if let next = try FactQueue.next(for: listener, household: member.household, filter, db),
                        let fact = try FactRecord.fetchOne(db, key: next)
                    {
                        response.fact = FactResponse(fact, vote: try Votes.of(listener, on: next, db))
                    }
                    return response
                })
        }
        routes.post(
            "\(Self.person)/plays", .member,
            "Writes down that somebody heard a fact on a page, and whether to its end. Takes an Idempotency-Key.",
            takes: PlayInput.self
        ) { request, input in
            let member = try request.member
            let (hub, id, now) = (request.hub, try request.path("person"), request.hub.clock.now())
            return try await request.idempotently { db in
                let subject = try Subject.find(id, household: member.household, now: now, db)
                guard hub.policy.allowsSession(member, of: subject.person) else {
                    throw Problem(
                        .forbidden, "Not yours", "On this profile, facts of \(subject.person.name) cannot be played.")
                }
                let fact = try FactRecord.known(input.fact, household: member.household, db)
                let listener = try FactQueue.listener(person: id, household: member.household, db)
                try PlayRecord.add(fact, listener: listener, at: now, ending: input.ending, db)
                // Another may hold the phone on which it was heard: what they voted is not said here.
                let isSeen = hub.policy.allowsViewing(member, of: subject.person, now: now)
                let vote = isSeen ? try Votes.of(listener, on: fact.id, db) : FactVote.none
                // Not which fact: brothers and sisters are told too.
                hub.live.publish(changed: "play", of: TriviaToy.self, household: member.household, after: db)
                return try .created(FactResponse(fact, vote: vote)).naming(id)
            }
        }
    }

    private func addHistory(to routes: Routes) {
        let count = toy.limits.historyPage
        routes.get(
            "\(Self.person)/history", .member,
            "What somebody has heard, the newest first: when, from which toy, and how it ended.",
            query: [.before, .search, .category]
        ) { request in
            let member = try request.member
            let (hub, id, now) = (request.hub, try request.path("person"), request.hub.clock.now())
            let filter = try Self.filter(request)
            return try .json(
                try await hub.database.pool.read { db in
                    _ = try Subject.read(id, by: member, hub, now: now, db)
                    return try HistoryResponse(
                        of: [try FactQueue.known(person: id, db)].compactMap { $0 }, filter, count: count, db)
                })
        }
        routes.get(
            "/api/toy/history", .member,
            "What everybody has heard whose history one may see, the newest first.",
            query: [.before, .search, .category]
        ) { request in
            let member = try request.member
            let (hub, now) = (request.hub, request.hub.clock.now())
            let filter = try Self.filter(request)
            return try .json(
                try await hub.database.pool.read { db in
                    let people = try PersonRecord.all(of: member.household, db).filter {
                        hub.policy.allowsViewing(member, of: $0, now: now)
                    }
                    return try HistoryResponse(
                        of: people.compactMap { try FactQueue.known(person: $0.id, db) }, filter, count: count, db)
                })
        }
    }

    private static func filter(_ request: APIRequest) throws -> HistoryResponse.Filter {
        let before = try request.query(.before).map { text in
            guard let number = Int64(text), number > 0 else {
                throw Problem.field("before", "It is the `next` of the page before.")
            }
            return number
        }
        let category = try request.query(.category).map { text in
            guard let name = CategoryName(rawValue: text) else {
                throw Problem.field("category", "There is no such category. Choose one of the list.")
            }
            return name
        }
        return HistoryResponse.Filter(before: before, search: request.query(.search), category: category)
    }

    private func addSettings(to routes: Routes) {
        routes.get("\(Self.person)/settings", .member, "Which categories somebody hears of, and in which language.") {
            request in
            let member = try request.member
            let (hub, id, now) = (request.hub, try request.path("person"), request.hub.clock.now())
            return try .json(
                try await hub.database.pool.read { db in
                    let subject = try Subject.read(id, by: member, hub, now: now, db)
                    return SettingsResponse(try .of(subject.person, db), in: subject.household)
                })
        }
        routes.put(
            "\(Self.person)/settings", .member,
            "Decides which categories somebody hears of, and in which language; what is left out stays.",
            takes: SettingsInput.self
        ) { request, input in
            try await request.change(TriviaToy.self) { subject, db in
                var settings = try ListeningSettings.of(subject.person, db)
                if let names = input.categories {
                    guard !names.isEmpty else {
                        throw Problem.field("categories", "Choose at least one category.")
                    }
                    var chosen = FactCategories(bits: 0)
                    for name in names { chosen.insert(name.category) }
                    // Who wants all of today's wants those of later versions too.
                    if names.count == CategoryName.allCases.count { chosen = .all }
                    settings.categories = Int64(bitPattern: chosen.bits)
                }
                if let language = input.language { settings.language = language }
                if input.isHouseholdLanguage == true { settings.language = nil }
                try settings.save(db)
                return try .json(SettingsResponse(settings, in: subject.household))
            }
        }
    }
}

private struct NextResponse: Codable {
    /// The next fact; nothing where there is none in these categories for this age, and while the house is silent.
    var fact: FactResponse?
    /// The rule of the house that keeps silent now.
    var silence: HouseSilence?
    /// A recorded message that waits: it is heard in place of the fact, and then `POST /api/toy/messages/{id}/heard`.
    var message: MessageResponse?
}

private struct PlayInput: Decodable {
    var fact: Int64
    var ending: PlayRecord.Ending
}

private struct SettingsInput: Decodable {
    var categories: [CategoryName]?
    var language: LanguageName?
    /// Whether it is the household's again.
    var isHouseholdLanguage: Bool?
}

private struct SettingsResponse: Codable {
    var categories: [CategoryName]
    /// The language of the facts; nothing for the household's.
    var language: LanguageName?
    /// The one in which facts come: their own, or else the household's.
    var effectiveLanguage: LanguageName

    init(_ settings: ListeningSettings, in household: HouseholdRecord) {
        categories = settings.names
        language = settings.language
        effectiveLanguage = settings.language ?? ListeningSettings.language(of: household)
    }
}

extension QueryParameter {
    static let before = QueryParameter(
        "before", "The `next` of the page before; from the newest on where it is left out.")
    static let category = QueryParameter(
        "category", "What the facts are about; all where it is left out.", values: CategoryName.allCases.map(\.rawValue)
    )
    static let search = QueryParameter("search", "A text that the facts hold; all where it is left out.")
}
