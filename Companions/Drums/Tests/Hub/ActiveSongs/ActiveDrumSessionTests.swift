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
        _ app: DrumsTestApp, _ recording: [UInt8], _ range: Range<Int>, id: String, isComplete: Bool = false,
        as account: String = "ines"
    ) async throws -> DrumsTestApp.Answer {
        let digits = String(crc32(recording[..<range.lowerBound]), radix: 16)
        var headers = [
            "Upload-Offset": "\(range.lowerBound)",
            "Upload-Checksum": String(repeating: "0", count: 8 - digits.count) + digits,
        ]
        if isComplete { headers["Upload-Complete"] = "?1" }
        return try await app.send(
            .patch, "/api/drums/active/\(id)", bytes: Array(recording[range]), as: account, headers: headers)
    }

    @Test("Its recording grows by what is played, and comes to the bytes of the codec")
    func grows() throws {
        var before: [UInt8] = []
        for beats in 0...16 {
            let session = try DrumsTestApp.played("mila", at: at, beats: beats, isFinished: beats == 16)
            let encoded = session.encoded()
            let recording = try DrumSession.recording(of: encoded)
            #expect(recording.starts(with: before))
            #expect(try DrumSession.encoded(recording: recording, isComplete: true) == encoded)
            before = recording
        }
        let closed = DeliveredSession(closing: try DrumsTestApp.played("mila", at: at, beats: 3, isFinished: false))
        let open = try DrumsTestApp.played("mila", at: at, beats: 3, isFinished: false)
        #expect(try DrumSession.recording(of: closed.content) == DrumSession.recording(of: open.encoded()))
    }

    @Test("One that is cut off anywhere is refused where it is all, and what is whole of it counts where it is not")
    func cutOff() throws {
        let session = try DrumsTestApp.played("mila", at: at, beats: 4, isFinished: false)
        let recording = try DrumSession.recording(of: session.encoded())
        let beginning = try DrumSession.beginning(ofRecording: recording)
        #expect(beginning.setup == session.setup)
        #expect(beginning.startedAt == at)
        var most = 0
        for count in 0..<recording.count {
            let part = Array(recording[..<count])
            guard let encoded = try? DrumSession.encoded(recording: part, isComplete: false) else { continue }
            let events = try DrumSession.decoded(encoded).events.count
            #expect(events >= most && events <= session.events.count)
            most = events
            let whole = try? DrumSession.encoded(recording: part, isComplete: true)
            #expect(whole == nil || whole == encoded)
        }
        #expect(most == session.events.count - 1)
    }

    @Test("In chunks it is stored as it is whole, and its pages hear of it")
    func chunks() async throws {
        let app = try await DrumsTestApp()
        let session = try DrumsTestApp.played("mila", at: at)
        let recording = try DrumSession.recording(of: session.encoded())
        let id = session.origin.id
        var offset = 0
        while offset < recording.count {
            // The first has the setup and the start, the others end where it happens.
            let end = min(offset + (offset == 0 ? 300 : 97), recording.count)
            let answer = try await patch(
                app, recording, offset..<end, id: id, isComplete: end == recording.count)
            #expect(answer.status == (offset == 0 || end == recording.count ? 201 : 200), "\(answer.text)")
            if end < recording.count {
                #expect(try await app.send(.get, "/api/drums")["active", "0", "id"] as? String == id)
            } else {
                #expect(answer["answered"] as? Int == 16)
            }
            offset = end
        }
        let content = try await app.hub.database.pool.read { db in try SessionRecord.fetchOne(db)?.content }
        #expect(content.map { Array($0) } == session.encoded())
        #expect(try await app.count("active_session") == 0)
        // Whole, as from an outbox or a program, it is the same again.
        #expect(try await app.deliver(session.encoded()).status == 200)
        #expect(try await app.count() == 1)
    }
}
