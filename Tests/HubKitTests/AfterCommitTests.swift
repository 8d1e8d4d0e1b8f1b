import GRDB
import HubInstruments
import NIOPosix
import Storage
import Synchronization
import Testing

@testable import HubKit
@testable import Readings

@Suite("What follows a commit")
struct AfterCommitTests {
    private struct Refusal: Error {}

    /// What was called, in its order.
    private final class Calls: Sendable {
        private let names = Mutex<[String]>([])
        var all: [String] { names.withLock { $0 } }
        func note(_ name: String) { names.withLock { $0.append(name) } }
    }

    private func add(_ name: String, _ db: Database) throws {
        try db.execute(sql: "INSERT INTO setting VALUES (?, '')", arguments: [name])
    }

    @Test("It runs in order once another connection sees what was written, and not before")
    func follows() async throws {
        let test = try TestHub()
        let (database, calls) = (test.hub.database, Calls())
        try await database.pool.write { db in
            try add("a", db)
            for name in ["first", "second"] {
                db.afterCommit {
                    let count = try? database.pool.read { db in
                        try Int.fetchOne(db, sql: "SELECT count(*) FROM setting WHERE name = 'a'")
                    }
                    calls.note("\(name) sees \(count ?? -1)")
                }
            }
            #expect(calls.all == [])
        }
        #expect(calls.all == ["first sees 1", "second sees 1"])
    }

    @Test("A transaction that writes nothing is followed, too")
    func empty() async throws {
        let (test, calls) = (try TestHub(), Calls())
        try await test.hub.database.pool.write { db in db.afterCommit { calls.note("heard") } }
        #expect(calls.all == ["heard"])
    }

    @Test("Nothing is heard of a transaction that is given up, and the next one is not followed by what that one said")
    func rolledBack() async throws {
        let (test, calls) = (try TestHub(), Calls())
        await #expect(throws: Refusal.self) {
            try await test.hub.database.pool.write { db in
                try add("a", db)
                db.afterCommit { calls.note("undone") }
                throw Refusal()
            }
        }
        try await test.hub.database.pool.write { db in
            try add("a", db)
            db.afterCommit { calls.note("done") }
        }
        #expect(calls.all == ["done"])
    }

    /// SQLite looks at a deferred foreign key when it commits: https://www.sqlite.org/foreignkeys.html, 4.2.
    @Test("Nothing is heard of a transaction whose commit fails")
    func failingCommit() async throws {
        let (test, calls) = (try TestHub(), Calls())
        try await test.hub.database.pool.write { db in
            try db.execute(
                sql: """
                    CREATE TABLE parent(id INTEGER PRIMARY KEY);
                    CREATE TABLE child(parent INTEGER REFERENCES parent DEFERRABLE INITIALLY DEFERRED);
                    """)
        }
        await #expect(throws: DatabaseError.self) {
            try await test.hub.database.pool.write { db in
                try db.execute(sql: "INSERT INTO child VALUES (1)")
                db.afterCommit { calls.note("undone") }
            }
        }
        #expect(calls.all == [])
    }

    @Test("A part that is undone is heard of no more, with the parts in it; what is around it is")
    func undoneAlone() async throws {
        let (test, calls) = (try TestHub(), Calls())
        try await test.hub.database.pool.write { db in
            db.afterCommit { calls.note("before") }
            #expect(throws: Refusal.self) {
                try db.undoable {
                    try add("a", db)
                    db.afterCommit { calls.note("undone") }
                    try db.undoable { db.afterCommit { calls.note("undone with it") } }
                    throw Refusal()
                }
            }
            try db.undoable {
                try add("b", db)
                db.afterCommit { calls.note("stored") }
            }
            db.afterCommit { calls.note("after") }
        }
        #expect(calls.all == ["before", "stored", "after"])
        let names = try await test.hub.database.pool.read { db in
            try String.fetchAll(db, sql: "SELECT name FROM setting WHERE name IN ('a', 'b')")
        }
        #expect(names == ["b"])
    }

    @Test("Of a batch pages hear what was stored, and nothing of the work that was refused in it")
    func batch() async throws {
        let test = try TestHub()
        let member = try await test.member()
        let hub = test.hub
        let (_, frames) = hub.live.listen(member, resume: nil, now: 0)
        let loop = MultiThreadedEventLoopGroup.singleton.next()
        try await loop.flatSubmit {
            do {
                let batchWriter = try BatchWriter(hub: hub, loop: loop) { _ in }
                batchWriter.perform { db in
                    try add("a", db)
                    hub.live.publish(.device("refused"), household: member.household, after: db)
                    throw Refusal()
                }
                return batchWriter.perform { db in
                    try add("b", db)
                    hub.live.publish(.device("stored"), household: member.household, after: db)
                }
            } catch {
                return loop.makeFailedFuture(error)
            }
        }.get()
        hub.live.publish(.device("the last"), household: member.household)
        var heard: [String] = []
        for await case .text(let text) in frames {
            heard += ["refused", "stored"].filter { text.contains($0) }
            if text.contains("the last") { break }
        }
        #expect(heard == ["stored"])
    }
}
