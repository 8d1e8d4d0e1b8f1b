import Foundation
import GRDB
import HubKit
import Storage
import Testing
import Wire

@testable import BrushingEngine
@testable import BrushingHub

@Suite("A brushing comes in chunks while it goes on")
struct ActiveBrushingTests {
    private let app: BrushingTestApp
    private let at: Int64

    init() async throws {
        app = try await BrushingTestApp()
        at = app.now - 600_000
    }

    private func patch(_ bytes: [UInt8], _ range: Range<Int>, id: String, isComplete: Bool = false) async throws
        -> BrushingTestApp.Answer
    {
        try await app.upload("/api/brushing/active/\(id)", bytes, range, isComplete: isComplete)
    }

    private func content() async throws -> [UInt8]? {
        try await app.hub.database.pool.read { db in
            try SessionRecord.fetchOne(db).map { Array($0.content) }
        }
    }

    @Test("It grows by what happens, and a cut anywhere leaves what is whole")
    func cuts() throws {
        let session = try BrushingTestApp.recorded("mila", at: at)
        let bytes = session.encoded()
        for count in bytes.indices {
            let part = Array(bytes[..<count])
            guard let open = try? BrushingSession.decoded(part, isComplete: false) else { continue }
            #expect(session.isContinuation(of: open))
            #expect(bytes.starts(with: open.encoded()))
        }
    }

    @Test("In chunks it is stored as it is whole, and gives what it has earned")
    func chunks() async throws {
        let session = try BrushingTestApp.recorded("mila", at: at)
        let bytes = session.encoded()
        let id = SessionOrigin.name(of: session.id)
        #expect(try await patch(bytes, 0..<bytes.count - 20, id: id).status == 201)
        let answer = try await patch(
            bytes, bytes.count - 20..<bytes.count, id: id, isComplete: true)
        #expect(answer.status == 201, "\(answer.text)")
        #expect(answer["isComplete"] as? Bool == true)
        #expect(try await content() == session.encoded())
        #expect(try await app.count("brushing_award") == 1)
        #expect(try await app.deliver(session.encoded()).status == 200)
        #expect(try await app.count("active_session") == 0)
    }

    @Test("What nobody came back to is stored as far as it was, and in full when its phone is back")
    func left() async throws {
        let session = try BrushingTestApp.recorded("mila", at: at)
        let bytes = session.encoded()
        let id = SessionOrigin.name(of: session.id)
        // The finish and its claim, and the tick before it, were not sent.
        let part = bytes.count - 30 - 17
        #expect(try await patch(bytes, 0..<part, id: id).status == 201)
        app.advance(milliseconds: ClockRules.longestAbsence)
        try await ActiveSessions(BrushingSessionDefinition(), hub: app.hub).closeLeft()
        #expect(try await app.count("brushing_session") == 1)
        #expect(try await app.count("brushing_award") == 0)
        let answer = try await app.deliver(session.encoded())
        #expect(answer.status == 200, "\(answer.text)")
        #expect(answer["isComplete"] as? Bool == true)
        #expect(try await content() == session.encoded())
        #expect(try await app.count("brushing_session") == 1)
        #expect(try await app.count("brushing_award") == 1)
    }
}
