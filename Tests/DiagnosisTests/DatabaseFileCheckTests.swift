import Foundation
import TestInstruments
import Testing

@testable import Diagnosis

/// The head is as SQLite's file format, 1.3, has it: https://www.sqlite.org/fileformat2.html#the_database_header
@Suite("The file of the database")
struct DatabaseFileCheckTests {
    private let check = DatabaseFileCheck(path: "/data/tandem.sqlite")
    private let none: (Int, Int) -> Set<Int> = { _, _ in [] }

    /// A log as SQLite's file format, 4, has it: a head of 32 bytes, then frames of a head of 24 and a page.
    ///
    /// - Parameter frames: of each the number of its page, and the size of the database after its commit, or 0.
    private func log(page: Int, _ frames: [(page: UInt32, commit: UInt32)], salt: UInt32 = 0xA1B2_C3D4) -> [UInt8] {
        func bytes(_ numbers: [UInt32]) -> [UInt8] {
            numbers.flatMap { number in (0..<4).map { UInt8(truncatingIfNeeded: number >> (24 - 8 * $0)) } }
        }
        return bytes([0x377F_0682, 3_007_000, UInt32(page), 0, salt, 7, 0, 0])
            + frames.flatMap { bytes([$0.page, $0.commit, salt, 7, 0, 0]) + [UInt8](repeating: 1, count: page) }
    }

    private func pages(in log: [UInt8], from first: Int, page: Int) -> Set<Int> {
        WriteAheadLog.pages(from: first, pageBytes: page) { offset, count in
            offset < log.count ? Array(log[offset..<min(log.count, offset + count)]) : nil
        }
    }

    @Test("Of a log the pages count that were committed, and are of the log as it is now")
    func logged() {
        let whole = log(page: 512, [(2, 0), (9, 10), (10, 10), (11, 0)])
        #expect(pages(in: whole, from: 9, page: 512) == [9, 10], "the eleventh was not committed")
        #expect(pages(in: whole, from: 10, page: 512) == [10])
        #expect(pages(in: whole, from: 9, page: 1_024) == [], "of other pages")
        #expect(pages(in: Array(whole.prefix(32 + 2 * 536)), from: 1, page: 512) == [2, 9])
        #expect(pages(in: [], from: 1, page: 512) == [])
        // Frames of an earlier round have other salts.
        let old = log(page: 512, [(9, 10)], salt: 1)
        #expect(pages(in: log(page: 512, [(2, 10)]) + old.dropFirst(32), from: 1, page: 512) == [2])
        // What a later commit has cut off is no page of the database any more.
        #expect(pages(in: log(page: 512, [(9, 10), (10, 10), (2, 9)]), from: 9, page: 512) == [9])
    }

    @Test("A log of any bytes is read to its end")
    func anyLog() {
        var random = SeededGenerator(seed: 31)
        for _ in 0..<2_000 {
            var bytes = log(page: 512, (0..<4).map { _ in (UInt32.random(in: 0...20, using: &random), 5) })
            for _ in 0..<Int.random(in: 0...40, using: &random) {
                bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            _ = pages(in: Array(bytes.prefix(Int.random(in: 0...bytes.count, using: &random))), from: 3, page: 512)
        }
    }

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
        #expect(check.finding(head: head, size: 40_960, logged: none).grade == .well)
        #expect(check.finding(head: head, size: 45_056, logged: none).grade == .well)
        let short = check.finding(head: head, size: 40_959, logged: none)
        #expect(short.grade == .fault)
        #expect(short.sentence == "/data/tandem.sqlite is damaged: it was cut short, to 40959 of 40960 bytes.")
        // Of ten pages nine are whole: the tenth is in the log, or it is not.
        #expect(check.finding(head: head, size: 40_959) { first, _ in Set(first...10) }.grade == .well)
        #expect(check.finding(head: head, size: 36_864) { _, _ in [10] }.grade == .well)
        #expect(check.finding(head: head, size: 32_768) { _, _ in [10] }.grade == .fault, "the ninth is nowhere")
    }

    @Test("A size of page of 1 stands for 65,536")
    func largestPage() {
        #expect(check.finding(head: head(page: 1, pages: 2), size: 131_072, logged: none).grade == .well)
        #expect(check.finding(head: head(page: 1, pages: 2), size: 131_071, logged: none).grade == .fault)
    }

    @Test("A number of pages that an older SQLite did not keep is not believed")
    func oldCount() {
        let head = head(page: 4_096, pages: 1_000, changes: 8, validFor: 7)
        #expect(check.finding(head: head, size: 4_096, logged: none).grade == .well)
    }

    @Test("What is no database is told as such, and an empty file is a new one")
    func noDatabase() {
        let text = Array(String(repeating: "this was a database once\n", count: 10).utf8.prefix(100))
        #expect(check.finding(head: text, size: 250, logged: none).grade == .fault)
        #expect(check.finding(head: [], size: 0, logged: none).grade == .well)
        #expect(check.finding(head: Array("SQLite format 3\0".utf8), size: 16, logged: none).grade == .fault)
        for page: UInt16 in [0, 2, 511, 513, 4_095, 65_535] {
            #expect(check.finding(head: head(page: page, pages: 1), size: 99_999, logged: none).grade == .fault)
        }
    }

    @Test(
        "An empty file is not taken for a new one where a hub with a database was",
        arguments: ["tandem.sqlite-wal", "tandem.sqlite-shm", "backups/n.backup", "songs/7/a", "replaced-2026/name"])
    func emptied(trace: String) throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/tandem.sqlite"
        try Data().write(to: URL(filePath: path))
        let place = URL(filePath: "\(folder.path)/\(trace)")
        try FileManager.default.createDirectory(
            at: place.deletingLastPathComponent(), withIntermediateDirectories: true)
        // SQLite deletes a log beside an empty file (pagerOpenWalIfPresent in its pager.c), so that all of it would be lost.
        try Data([1]).write(to: place)
        let finding = DatabaseFileCheck(path: path).run()
        #expect(finding?.grade == .fault)
        #expect(finding?.sentence.contains("is empty, though a hub was here") == true)
    }

    @Test("A first start that was killed at once, and what others put into its folder, lock nobody out")
    func killedAtOnce() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/tandem.sqlite"
        for name in ["tandem.sqlite", "tandem.sqlite-journal", "tandem.lock", "compose.yaml", "tandem.sqlite-wal"] {
            try Data(name == "compose.yaml" ? [1] : []).write(to: URL(filePath: "\(folder.path)/\(name)"))
        }
        for name in ["lost+found", "backups"] {
            try FileManager.default.createDirectory(atPath: "\(folder.path)/\(name)", withIntermediateDirectories: true)
        }
        #expect(DatabaseFileCheck(path: path).run()?.grade == .well)
    }

    @Test("A log whose database is gone is no new hub's")
    func logAlone() throws {
        let folder = try TemporaryFolder()
        try Data([1]).write(to: URL(filePath: folder.path + "/tandem.sqlite-wal"))
        let finding = DatabaseFileCheck(path: folder.path + "/tandem.sqlite").run()
        #expect(finding?.grade == .fault)
        #expect(finding?.sentence.hasSuffix("is there: \(folder.path)/tandem.sqlite-wal.") == true)
    }

    @Test("Any head is judged without a trap")
    func anyHead() {
        var random = SeededGenerator(seed: 27)
        for _ in 0..<5_000 {
            let count = Int.random(in: 0...120, using: &random)
            let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
            let isNamed = Bool.random(using: &random)
            let head = isNamed ? Array("SQLite format 3\0".utf8) + bytes : bytes
            _ = check.finding(head: head, size: Int.random(in: 0...(1 << 40), using: &random), logged: none)
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
        #expect(DatabaseFileCheck(path: path).run()?.grade == .fault, "a log that has none of it")
        try Data(log(page: 512, [(2, 0), (3, 3)])).write(to: URL(filePath: path + "-wal"))
        #expect(DatabaseFileCheck(path: path).run()?.grade == .well)
        unlink(path)
        #expect(mkfifo(path, 0o600) == 0)
        #expect(DatabaseFileCheck(path: path).run()?.words.contains("a folder, a pipe or a device") == true)
    }
}
