import Foundation
import TestInstruments
import Testing

@testable import Diagnosis

/// The head is as SQLite's file format, 1.3, has it: https://www.sqlite.org/fileformat2.html#the_database_header
@Suite("The file of the database")
struct DatabaseFileCheckTests {
    private let check = DatabaseFileCheck(path: "/data/tandem.sqlite")

    /// - Parameters:
    ///   - page: the two bytes at 16, the size of a page, where 1 stands for 65,536.
    ///   - pages: the four bytes at 28.
    ///   - changes: the four bytes at 24, the counter of changes.
    ///   - validFor: the four bytes at 92, the counter for which the number of pages holds.
    private func head(page: UInt16, pages: UInt32, changes: UInt32 = 7, validFor: UInt32 = 7) -> [UInt8] {
        var bytes = Array("SQLite format 3\0".utf8) + [UInt8](repeating: 0, count: 84)
        func put(_ value: UInt32, at place: Int) {
            for index in 0..<4 { bytes[place + index] = UInt8(truncatingIfNeeded: value >> (24 - 8 * index)) }
        }
        bytes[16] = UInt8(page >> 8)
        bytes[17] = UInt8(page & 0xFF)
        put(changes, at: 24)
        put(pages, at: 28)
        put(validFor, at: 92)
        return bytes
    }

    @Test("A file that is shorter than its head says is damaged, unless the rest may be in the log")
    func cutShort() {
        let head = head(page: 4_096, pages: 10)
        #expect(check.finding(head: head, size: 40_960, hasLog: false).grade == .well)
        #expect(check.finding(head: head, size: 45_056, hasLog: false).grade == .well)
        let short = check.finding(head: head, size: 40_959, hasLog: false)
        #expect(short.grade == .fault)
        #expect(short.sentence == "/data/tandem.sqlite is damaged: it was cut short, to 40959 of 40960 bytes.")
        #expect(check.finding(head: head, size: 40_959, hasLog: true).grade == .well)
    }

    @Test("A size of page of 1 stands for 65,536")
    func largestPage() {
        #expect(check.finding(head: head(page: 1, pages: 2), size: 131_072, hasLog: false).grade == .well)
        #expect(check.finding(head: head(page: 1, pages: 2), size: 131_071, hasLog: false).grade == .fault)
    }

    @Test("A number of pages that an older SQLite did not keep is not believed")
    func oldCount() {
        let head = head(page: 4_096, pages: 1_000, changes: 8, validFor: 7)
        #expect(check.finding(head: head, size: 4_096, hasLog: false).grade == .well)
    }

    @Test("What is no database is told as such, and an empty file is a new one")
    func noDatabase() {
        let text = Array(String(repeating: "this was a database once\n", count: 10).utf8.prefix(100))
        #expect(check.finding(head: text, size: 250, hasLog: false).grade == .fault)
        #expect(check.finding(head: [], size: 0, hasLog: false).grade == .well)
        #expect(check.finding(head: Array("SQLite format 3\0".utf8), size: 16, hasLog: false).grade == .fault)
        for page: UInt16 in [0, 2, 511, 513, 4_095, 65_535] {
            #expect(check.finding(head: head(page: page, pages: 1), size: 99_999, hasLog: false).grade == .fault)
        }
    }

    @Test("Any head is judged without a trap")
    func anyHead() {
        var random = SeededGenerator(seed: 27)
        for _ in 0..<5_000 {
            let count = Int.random(in: 0...120, using: &random)
            let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
            let isNamed = Bool.random(using: &random)
            let head = isNamed ? Array("SQLite format 3\0".utf8) + bytes : bytes
            _ = check.finding(head: head, size: Int.random(in: 0...(1 << 40), using: &random), hasLog: false)
        }
    }

    @Test("A real file is looked at, and one that is not there is nobody's fault")
    func realFile() throws {
        let folder = try TemporaryFolder()
        #expect(DatabaseFileCheck(path: folder.path + "/tandem.sqlite").run() == nil)
        let path = folder.path + "/tandem.sqlite"
        try Data(head(page: 512, pages: 3) + [UInt8](repeating: 0, count: 412)).write(to: URL(filePath: path))
        #expect(DatabaseFileCheck(path: path).run()?.sentence.contains("512 of 1536 bytes") == true)
        try Data([1]).write(to: URL(filePath: path + "-wal"))
        #expect(DatabaseFileCheck(path: path).run()?.grade == .well)
    }
}
