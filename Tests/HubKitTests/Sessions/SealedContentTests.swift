import Foundation
import GRDB
import HubInstruments
import Storage
import TestInstruments
import Testing

@testable import HubKit

@Suite("Sessions in the form of 0.1.0's first builds")
struct SealedContentTests {
    // The header of RawSession, then the number of events, two events of a byte each, and the CRC-32.
    private func earlier(_ content: [UInt8]) -> [UInt8] {
        sealed(Array(content[..<RawSession.headerCount]) + [2, 0] + content[RawSession.headerCount...])
    }

    @Test("A migration takes their number of events and their checksum away, and leaves what is damaged as it is")
    func rewritten() async throws {
        let app = try await CompanionTestApp<Raw>()
        for id: UInt8 in [1, 2] {
            let device = RawRecorder(app, id: id, bytes: [7, 8])
            #expect(try await app.deliver(device.bytes).status == 201)
        }
        let contents = try await app.hub.database.pool.write { [earlier] db -> [[UInt8]] in
            var records = try SessionRecord.fetchAll(db, sql: "SELECT * FROM session ORDER BY id")
            let contents = records.map { Array($0.content) }
            for place in records.indices {
                records[place].content = Data(earlier(contents[place]))
                records[place].digest = Sessions.digest(of: records[place].content)
            }
            // A bit of the second has changed on the disk.
            records[1].content[30] ^= 1
            for record in records { try record.update(db) }
            try SealedContent.rewrite(RawFormat(), db)
            let now = try SessionRecord.fetchAll(db, sql: "SELECT * FROM session ORDER BY id")
            #expect(now[0].intactContent == contents[0])
            #expect(now[1].content == records[1].content && now[1].digest == records[1].digest)
            return contents
        }
        #expect(try await app.deliver(contents[0]).status == 200, "the same session still")
        // As an outbox of then sends it.
        #expect(try await app.deliver(earlier(contents[0])).status == 200, "and in its earlier form")
    }

    @Test("What is in today's form, or in none, is left alone", arguments: [[], [1, 2, 3], Array(1...40)])
    func others(bytes: [UInt8]) {
        #expect(SealedContent.opened(bytes, eventsIndex: { _ in 4 }) == nil)
        #expect(SealedContent.opened(sealed(bytes), eventsIndex: { _ in 60 }) == nil)
    }
}
