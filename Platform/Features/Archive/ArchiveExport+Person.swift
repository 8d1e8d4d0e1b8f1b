import Foundation
import GRDB
import HubKit
import Localization
import Storage
import Wire

/// One person's part of an export: their rows, the files that people read, and FHIR for programs that keep health records.
extension ArchiveExport {
    /// The name of the FHIR bundle in the archive.
    static let fhirName = "fhir.json"

    mutating func writeAll(of id: String, _ db: Database, path: String) throws {
        guard let person = try PersonRecord.fetchOne(db, key: id),
            let household = try HouseholdRecord.fetchOne(db, key: person.household)
        else { throw ArchiveError.nobody(id) }
        let tables = try theirTables(db)
        for one in tables {
            let name = one.table.name.quotedDatabaseIdentifier
            let sql = "SELECT count(*) FROM \(name) WHERE \(one.condition)"
            total += try Int.fetchOne(db, sql: sql, arguments: [id]) ?? 0
        }
        try checkRoom(readings: 0, beside: path)
        try writeReadMe(of: person, companions.map { $0.archivePart }, household)
        for one in tables { try writeRows(of: one.table, slug: one.slug, where: one.condition, arguments: [id], db) }
        try writeReadable(household, of: [person], onlyPerson: id, db)
        try writeFHIR(of: person, household, db)
        try zip.finish()
        try progress(ArchiveProgress(done: total, total: total))
    }

    /// A table that has rows of a person.
    private struct TheirTable {
        var slug: String
        var table: ArchivedTable
        /// The condition for those rows, in SQL.
        var condition: String
    }

    private func theirTables(_ db: Database) throws -> [TheirTable] {
        var rows = PersonRows(db)
        var tables: [TheirTable] = []
        for (slug, part) in parts {
            for table in part.tables {
                guard let condition = try rows.condition(for: table.name) else { continue }
                tables.append(TheirTable(slug: slug, table: table, condition: condition))
            }
        }
        return tables
    }

    private mutating func writeFHIR(of person: PersonRecord, _ household: HouseholdRecord, _ db: Database) throws {
        let localized = Localizer(household.preferredLanguage, from: catalog)
        let today = Subject(person, of: household, now: manifest.madeAt).today
        // Companions get ways to write, and not this value: it is taken back when they have done so.
        let shared = SharedWriter(zip)
        try shared.zip.begin(Self.fhirName)
        let bundle = try FHIRBundle(of: person, madeAt: manifest.madeAt, in: localized) { try shared.zip.write($0) }
        for companion in companions {
            try companion.addHealthRecord(
                to: HealthRecord(
                    of: person, household, db, today: today, in: localized,
                    observe: { try bundle.add($0, of: companion.slug) },
                    plan: { try bundle.add($0, of: companion.slug, today: today) }))
        }
        try bundle.finish()
        try shared.zip.end()
        zip = shared.zip
    }

    private mutating func writeReadMe(of person: PersonRecord, _ parts: [ArchivePart], _ household: HouseholdRecord)
        throws
    {
        for (language, file) in readMeLanguages {
            let text = PersonReadMe(parts: parts, person: person, household: household, madeAt: manifest.madeAt)
                .text(Localizer(language, from: catalog))
            try zip.add(file, Array(text.utf8))
        }
    }
}
