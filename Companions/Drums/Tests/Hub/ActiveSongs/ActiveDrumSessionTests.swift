import Foundation
import GRDB
import HubKit
import Storage
import TestInstruments
import Testing
import Wire

@testable import DrumsEngine
@testable import DrumsHub

@Suite("A song comes in chunks while it is played")
struct ActiveDrumSessionTests {
    private let at = DrumsTestApp.start - 120_000

    private func patch(
        _ app: DrumsTestApp, _ content: [UInt8], _ range: Range<Int>, id: String, isComplete: Bool = false,
        as account: String = "ines"
    ) async throws -> DrumsTestApp.Answer {
        try await app.upload("/api/drums/active/\(id)", content, range, isComplete: isComplete, as: account)
    }

    @Test("Its bytes grow by what is played, and the hub’s end is taken off again")
    func grows() throws {
        var before: [UInt8] = []
        for beats in 0...16 {
            let session = try DrumsTestApp.played("mila", at: at, beats: beats, isFinished: beats == 16)
            let bytes = session.encoded()
            #expect(bytes.starts(with: before))
            before = bytes
        }
        let closed = DeliveredSession(closing: try DrumsTestApp.played("mila", at: at, beats: 3, isFinished: false))
        let open = try DrumsTestApp.played("mila", at: at, beats: 3, isFinished: false)
        #expect(closed.content != open.encoded())
        #expect(closed.session.encodedWithoutClosing() == open.encoded())
    }

    @Test("One that is cut off anywhere is refused where it is all, and what is whole of it counts where it is not")
    func cutOff() throws {
        let session = try DrumsTestApp.played("mila", at: at, beats: 4, isFinished: false)
        let bytes = session.encoded()
        let beginning = try SessionBeginning(bytes)
        #expect(beginning.setup == session.setup)
        #expect(beginning.startedAt == at)
        var most = 0
        for count in bytes.indices {
            let part = Array(bytes[..<count])
            guard let open = try? DrumSession.decoded(part, isComplete: false) else { continue }
            #expect(open.events.count >= most && open.events.count <= session.events.count)
            most = open.events.count
            #expect(((try? DrumSession.decoded(part)) == nil) == (open.encoded() != part))
        }
        #expect(most == session.events.count - 1)
    }

    @Test("In chunks it is stored as it is whole, and its pages hear of it")
    func chunks() async throws {
        let app = try await DrumsTestApp()
        let session = try DrumsTestApp.played("mila", at: at)
        let content = session.encoded()
        let id = session.origin.id
        var offset = 0
        while offset < content.count {
            // The first has the setup and the start, the others end where it happens.
            let end = min(offset + (offset == 0 ? 300 : 97), content.count)
            let answer = try await patch(
                app, content, offset..<end, id: id, isComplete: end == content.count)
            #expect(answer.status == (offset == 0 || end == content.count ? 201 : 200), "\(answer.text)")
            if end < content.count {
                #expect(try await app.send(.get, "/api/drums")["active", "0", "id"] as? String == id)
            } else {
                #expect(answer["answered"] as? Int == 16)
            }
            offset = end
        }
        let stored = try await app.hub.database.pool.read { db in try SessionRecord.fetchOne(db)?.content }
        #expect(stored.map { Array($0) } == content)
        #expect(try await app.count("active_session") == 0)
        // Whole, as from an outbox or a program, it is the same again.
        #expect(try await app.deliver(session.encoded()).status == 200)
        #expect(try await app.count() == 1)
    }
}
