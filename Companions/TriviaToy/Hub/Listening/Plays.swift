import GRDB
import HubKit
import Storage

/// A fact that was spoken.
struct PlayRecord: Storage.TableRecord {
    static let databaseTableName = "toy_play"

    /// The way in which a play ended.
    enum Ending: String, Codable, CaseIterable, Sendable {
        /// A play that was heard to the end.
        case finished
        /// A play that somebody stopped.
        case stopped
        /// A play that ended because the power went.
        case cutOff
        /// An ending that is not known: an original toy does not say.
        case unknown
    }

    var id: Int64?
    var household: String
    var listener: Int64
    var fact: Int64
    /// UTC milliseconds.
    var at: Int64
    /// The toy; nil where it was a page, or an original toy.
    var device: String?
    var ending: Ending

    /// Writes down that a listener has heard a fact, and puts it at the end of their queue.
    static func add(
        _ fact: FactRecord, listener: Int64, at: Int64, device: String? = nil, ending: Ending, _ db: Database
    ) throws {
        try PlayRecord(
            household: fact.household, listener: listener, fact: fact.id, at: at, device: device, ending: ending
        ).insert(db)
        try FactQueue.hear(fact, listener: listener, at: at, db)
    }

    /// The number of facts that a listener has heard since a time, in UTC milliseconds.
    static func count(of listener: Int64, since: Int64, _ db: Database) throws -> Int {
        // The newest are the last ones of the index: a day holds few.
        try Int.fetchOne(
            db, cached: "SELECT count(*) FROM toy_play WHERE listener = ? AND at >= ?", arguments: [listener, since])
            ?? 0
    }

    /// The number of facts that somebody has heard today; 0 for who has heard nothing yet.
    static func count(ofToday subject: Subject, _ db: Database) throws -> Int {
        guard let listener = try FactQueue.known(person: subject.person.id, db) else { return 0 }
        return try count(of: listener, since: subject.calendar.start(ofDay: subject.today), db)
    }
}

/// The facts that were heard, the newest first: by somebody, or by everybody whom a page may see.
struct HistoryResponse: Codable {
    /// A fact that was heard.
    struct Play: Codable {
        var id: Int64
        /// The person who heard it; nil for a user of the original system.
        var person: String?
        /// UTC milliseconds.
        var at: Int64
        var ending: PlayRecord.Ending
        /// The toy's id and name; nil for a page.
        var device, deviceName: String?
        var fact: FactResponse
    }

    /// The part of the history that is asked for.
    struct Filter: Sendable {
        /// The number of a play; nil from the newest on.
        var before: Int64?
        /// A text that the facts hold, in any case of ASCII letters; nil for all.
        var search: String?
        /// The category of the facts; nil for all.
        var category: CategoryName?
    }

    var plays: [Play]
    /// The number to ask for as `before` for the next page; nil where this was the last.
    var next: Int64?

    /// Reads the plays of listeners.
    ///
    /// - Parameter listeners: whose; see ``FactQueue``.
    init(of listeners: [Int64], _ filter: Filter = Filter(), count: Int, _ db: Database) throws {
        plays = []
        guard !listeners.isEmpty else { return }
        let places = listeners.map { _ in "?" }.joined(separator: ", ")
        var arguments = StatementArguments(listeners)
        arguments += [filter.before ?? .max, "%\(Self.escaped(filter.search ?? ""))%"]
        if let category = filter.category { arguments += [Int(category.category.rawValue)] }
        arguments += [count + 1]
        let rows = try Row.fetchAll(
            db,
            sql: """
                SELECT toy_play.id, at, ending, device, device.name, fact,
                    (SELECT vote FROM toy_vote WHERE toy_vote.listener = toy_play.listener AND toy_vote.fact = toy_play.fact),
                    (SELECT person FROM toy_listener WHERE toy_listener.id = toy_play.listener)
                FROM toy_play JOIN toy_fact ON toy_fact.id = toy_play.fact LEFT JOIN device ON device.id = toy_play.device
                WHERE toy_play.listener IN (\(places)) AND toy_play.id < ? AND text LIKE ? ESCAPE '\\'
                    \(filter.category == nil ? "" : "AND category = ?")
                ORDER BY toy_play.id DESC LIMIT ?
                """,
            arguments: arguments)
        for row in rows.prefix(count) {
            guard let fact = try FactRecord.fetchOne(db, key: row[5] as Int64) else { continue }
            let vote: Int8? = row[6]
            plays.append(
                Play(
                    id: row[0], person: row[7], at: row[1], ending: PlayRecord.Ending(rawValue: row[2]) ?? .unknown,
                    device: row[3], deviceName: row[4],
                    fact: FactResponse(fact, vote: vote.flatMap { .init(rawValue: $0) } ?? .none)))
        }
        if rows.count > count { next = plays.last?.id }
    }

    /// A text in which no sign stands for others.
    private static func escaped(_ text: String) -> String {
        String(text.flatMap { "%_\\".contains($0) ? ["\\", $0] : [$0] })
    }
}
