import GRDB
import HubKit
import MotionLabEngine
import NIOCore
import Storage
import Synchronization

/// The table of all that the phones of a class measured, run by run and guest by guest. It is made a piece at a time: in
/// memory are the samples of one recording.
final class ClassTable: Sendable {
    /// The kinds of files; there is one.
    enum Format: String, FileMedia {
        /// A row for each time at which any sensor of a phone measured; see ``RecordingTable``.
        case csv

        var mediaType: String { RecordingExport.Format.csv.mediaType }
    }

    private struct State {
        var table: RecordingTable
        /// The ids of the recordings that are still to be added, the next one last.
        var left: [String]
        /// The rest of the recording that is being added.
        var current: RecordingTable.Rest?
        var hasHeader = false
    }

    /// The wait for others, where many calculate, seconds.
    private static let pause = Duration.seconds(1)

    private let household: String
    private let hub: HubContext
    private let state: Mutex<State>

    /// Finds what there is of a class.
    ///
    /// - Throws: a 404 problem for a class that there is not, a 409 problem where nothing was measured.
    init(ofClass id: String, household: String, form: TableForm, _ hub: HubContext, _ db: Database) throws {
        let found = try ClassRecord.find(id, household: household, db)
        let recordings = try StoredRecording.fetchAll(
            db,
            cached: """
                SELECT lab_recording.* FROM lab_guest_recording
                JOIN lab_guest ON lab_guest.id = lab_guest_recording.guest
                JOIN lab_recording ON lab_recording.household = lab_guest_recording.household
                    AND lab_recording.id = lab_guest_recording.recording
                WHERE lab_guest_recording.household = ? AND lab_guest_recording.in_class = ?
                ORDER BY lab_guest_recording.run, lab_guest.number
                """, arguments: [household, found.id])
        guard !recordings.isEmpty else {
            throw Problem(.conflict, "Nothing measured", "No phone of this class has measured anything so far.")
        }
        let present = Set(recordings.flatMap(\.kinds))
        let kinds = SensorKind.allCases.filter { present.contains($0) }
        self.household = household
        self.hub = hub
        state = Mutex(
            State(
                table: RecordingTable(kinds: kinds, form: form, isOfClass: true),
                left: recordings.reversed().map(\.id)))
    }

    /// The pieces of the file, each made when it is asked for.
    ///
    /// - Parameter account: the id of whoever takes it, who waits their turn with others that calculate.
    func pieces(for account: String) -> AsyncThrowingStream<ByteBuffer, any Error> {
        AsyncThrowingStream {
            while true {
                do {
                    return try await self.hub.calculations.run(for: account) { try self.next() }
                } catch let problem as Problem where problem.status == .tooManyRequests {
                    // The file has begun: it goes on when others are done.
                    try await Task.sleep(for: Self.pause)
                }
            }
        }
    }

    /// The next piece; nil at the end.
    private func next() throws -> ByteBuffer? {
        try state.withLock { state in
            if !state.hasHeader {
                state.table.addHeader()
                state.hasHeader = true
            }
            while true {
                if var rest = state.current.take() {
                    if state.table.addRows(of: &rest) {
                        state.current = rest
                        return ByteBuffer(bytes: state.table.take())
                    }
                }
                guard let id = state.left.popLast() else {
                    let last = state.table.take()
                    return last.isEmpty ? nil : ByteBuffer(bytes: last)
                }
                let samples = try hub.database.pool.read { db in
                    // One that was removed meanwhile is left out.
                    try StoredRecording.find(id, household: household, db).map { try StoredSamples($0, db) }
                }
                state.current = try samples.map { RecordingTable.Rest(try $0.read(), state.table.kinds) }
            }
        }
    }
}
