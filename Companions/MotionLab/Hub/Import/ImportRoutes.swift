import Foundation
import HubKit
import Localization
import MotionLabEngine
import NIOCore
import Storage

/// Takes over what other apps have exported.
struct ImportRoutes: Sendable {
    let hub: HubContext

    /// The largest file of a page, bytes: half an hour of an accelerometer at 100 Hz is 15 MB.
    private static let mostBytes = 16 << 20

    private struct ImportedResponse: Codable {
        var recording: RecordingResponse
        /// The number of lines in which the time or a value was missing.
        var skippedLines: Int
        /// The names of those parts of a workbook or a ZIP file that should be of a sensor, and could not be read.
        var unread: [String]
        /// The sentences about it besides: why lines were left out, and that it does not say when it was.
        var remarks: [String]
        /// Whether it was here before.
        var isKnown: Bool
    }

    func add(to routes: Routes) {
        // What a file unfolds to is several times its bytes.
        let imports = AsyncSemaphore(most: 1)
        routes.post(
            "/api/lab/import", .member,
            "Takes over a file that Sensor Logger, phyphox or Physics Toolbox exported (CSV, Excel, or a ZIP of CSV), as a recording of a `person`; the same file again is stored once.",
            query: [.owner, .app, .fileName, .startedAt], media: "application/octet-stream"
        ) { request in
            let member = try request.member
            guard let app = request.query(.app).flatMap({ FileImport.App(rawValue: $0) }) else {
                let known = FileImport.App.allCases.map(\.rawValue).joined(separator: ", ")
                throw Problem.field("app", "Say which app wrote the file: \(known).")
            }
            guard let owner = request.query(.owner) else {
                throw Problem.field("person", "Say whose: `person` is the id of somebody of the household.")
            }
            let name = request.query(.fileName) ?? ""
            let now = hub.clock.now()
            let startedAt = request.query(.startedAt).flatMap { Int64($0) } ?? now * 1_000
            let (person, zone) = try await hub.database.pool.read { db in
                guard let person = try PersonRecord.fetchOne(db, key: owner), person.household == member.household
                else { throw Problem.notFound("There is nobody here. They may have been removed.") }
                guard hub.policy.allowsSession(member, of: person) else {
                    throw Problem(
                        .forbidden, "Somebody else’s", "An adult of the household can import for \(person.name).")
                }
                return (person, person.zone(try HouseholdRecord.find(db, key: member.household)))
            }
            let bytes = try await request.bytes(
                upTo: Self.mostBytes,
                otherwise: Problem(
                    .contentTooLarge, title: LocalizedText("Too large"), detail: FileImportError.table(.tooLarge).text,
                    field: "file"))
            let file = try await imports.withTurn {
                do throws(FileImportError) {
                    return try FileImport(
                        Array(buffer: bytes), named: name, app: app, of: person, startedAt: startedAt, in: zone)
                } catch {
                    throw Problem.field("file", detail: error.text)
                }
            }
            let read = try ReadRecording(file.content)
            try read.origin.checkTime(now: now)
            let response = try await hub.database.pool.write { db in
                // Whoever it was may have gone since.
                guard let person = try PersonRecord.fetchOne(db, key: owner) else {
                    throw Problem.notFound("There is nobody here. They may have been removed.")
                }
                let household = try HouseholdRecord.find(db, key: member.household)
                let known = try StoredRecording.find(read.origin.id, household: household.id, db)
                if known == nil {
                    try RemovedRecord.forget(read.origin.id, household: household.id, db)
                    try SessionStorage(RecordingDefinition()).store(read, of: person, household, now: now, db)
                }
                guard let stored = try known ?? .find(read.origin.id, household: household.id, db) else {
                    throw Problem.notFound("There is no recording here. It may have been removed.")
                }
                hub.live.publish(
                    changed: "recording", id: read.origin.id, of: MotionLab.self, household: member.household, after: db
                )
                return ImportedResponse(
                    recording: try RecordingResponse(stored, db), skippedLines: file.skipped, unread: file.unread,
                    remarks: file.remarks.map { request.localized.string($0) }, isKnown: known != nil)
            }
            return try .stored(response, isNew: !response.isKnown)
        }
    }
}

extension QueryParameter {
    fileprivate static let owner = QueryParameter(
        "person", "The id of whoever it is of.", isRequired: true)
    fileprivate static let app = QueryParameter(
        "app", "Which app wrote the file, and on which system.", values: FileImport.App.allCases.map(\.rawValue),
        isRequired: true)
    fileprivate static let fileName = QueryParameter(
        "name", "What the file is called, which says the sensor: Accelerometer.csv.")
    fileprivate static let startedAt = QueryParameter(
        "startedAt", "When it began, UTC microseconds, where the file does not say; now where it is left out.")
}
