import Foundation
import TestInstruments
import Testing
import Wire

@testable import HubKit

@Suite("ZIP archives")
struct ZipTests {
    private static func archive(_ files: [(String, String)]) throws -> [UInt8] {
        var zip = ZipWriter<[UInt8]>([])
        for (name, content) in files { try zip.add(name, Array(content.utf8)) }
        try zip.finish()
        return zip.destination
    }

    /// An archive with one file, of which some bytes are others.
    private static func changed(_ name: String = "a.txt", _ change: (inout [UInt8]) -> Void) throws -> [UInt8] {
        var bytes = try archive([(name, "hello")])
        change(&bytes)
        return bytes
    }

    private static func refusal(_ bytes: [UInt8]) -> ZipError? {
        do {
            let zip = try ZipReader(bytes)
            for file in zip.files.values { try zip.read(file) { _ in } }
            return nil
        } catch {
            return error as? ZipError
        }
    }

    /// Where the directory's record of the first file begins.
    private static func directory(_ bytes: [UInt8]) -> Int {
        (0..<bytes.count - 4).first { Array(bytes[$0..<$0 + 4]) == [0x50, 0x4B, 1, 2] } ?? 0
    }

    @Test("What is written in pieces is read again, whatever is in it, and by Python too")
    func roundTrip() throws {
        let folder = try TemporaryFolder()
        var zip = ZipWriter<[UInt8]>([])
        try zip.add("README.md", Array("All of it".utf8))
        try zip.begin("Ordner/Blätter.csv")
        for piece in 0..<500 { try zip.write(Array("\(piece),1.5\n".utf8)) }
        try zip.end()
        try zip.add("empty", [])
        try zip.finish()
        let reader = try ZipReader(zip.destination)
        #expect(reader.files.keys.sorted() == ["Ordner/Blätter.csv", "README.md", "empty"])
        let file = try #require(reader.files["Ordner/Blätter.csv"])
        let content = try reader.content(of: file, upTo: 1 << 20)
        #expect(String(decoding: content, as: UTF8.self).hasSuffix("499,1.5\n"))
        #expect(throws: ZipError.tooLarge("Ordner/Blätter.csv")) { try reader.content(of: file, upTo: 100) }
        let path = folder.path + "/a.zip"
        try Data(zip.destination).write(to: URL(filePath: path))
        let python = try CommandResult.of(
            "python3",
            [
                "-c",
                "import sys, zipfile; z = zipfile.ZipFile(sys.argv[1]); assert z.testzip() is None; print(len(z.read(sys.argv[2])))",
                path, "Ordner/Blätter.csv",
            ])
        #expect(python.output == "\(content.count)\n", "\(python)")
    }

    @Test("A place beyond 4 GiB is written with 64 bits, and read again")
    func wide() throws {
        // 5 GiB of nothing, which are counted and not kept.
        var zip = ZipWriter(Hollow(count: 5 << 30), after: 5 << 30)
        try zip.add("last", Array("beyond".utf8))
        try zip.finish()
        let reader = try ZipReader(zip.destination)
        let last = try #require(reader.files["last"])
        #expect(last.start > 1 << 32)
        #expect(try reader.content(of: last, upTo: 100) == Array("beyond".utf8))
    }

    @Test(
        "A name that leads elsewhere is refused",
        arguments: ["../a.t", "/a.tx", "a/../", "a\\b.t", "C:a.t", "a//b.", "./a.t", "a\u{1}b.t"])
    func hostileName(name: String) throws {
        #expect(Self.refusal(try Self.archive([(name, "hello")])) == .hostileName(name))
    }

    @Test("A name that is no UTF-8 is refused, and one that is too long")
    func noName() throws {
        let bytes = try Self.changed { bytes in bytes[Self.directory(bytes) + 46] = 0xFF }
        #expect(Self.refusal(bytes) == .hostileName(""))
        let long = String(repeating: "a", count: 600)
        #expect(Self.refusal(try Self.archive([(long, "hello")])) == .hostileName(""))
    }

    @Test("Two files of one name are refused")
    func repeated() throws {
        #expect(Self.refusal(try Self.archive([("a", "1"), ("a", "2")])) == .repeated("a"))
    }

    @Test("Files that share their bytes, as those of an archive that unfolds to more than it is, are refused")
    func overlapping() throws {
        var bytes = try Self.archive([("a", "1"), ("b", "2")])
        let first = Self.directory(bytes)
        // The second file's header is said to be the first's.
        let second = first + 47
        bytes.replaceSubrange(second + 42..<second + 46, with: [0, 0, 0, 0])
        let refusal = Self.refusal(bytes)
        #expect(
            refusal == .overlapping("b") || refusal == .damaged("b") || refusal == .overlapping("a"),
            "\(String(describing: refusal))")
    }

    @Test("A file that says to be larger than the archive is refused")
    func bomb() throws {
        let bytes = try Self.changed { bytes in
            let at = Self.directory(bytes)
            for field in [20, 24] { bytes.replaceSubrange(at + field..<at + field + 4, with: [0, 0, 0, 0x70]) }
        }
        #expect(Self.refusal(bytes) == .damaged("a.txt"))
    }

    @Test("A compressed file, and an encrypted one, are refused")
    func compressed() throws {
        let compressed = try Self.changed { bytes in bytes[Self.directory(bytes) + 10] = 8 }
        #expect(Self.refusal(compressed) == .notStored("a.txt"))
        let encrypted = try Self.changed { bytes in bytes[Self.directory(bytes) + 8] |= 1 }
        #expect(Self.refusal(encrypted) == .notStored("a.txt"))
    }

    @Test("A byte that has changed is found")
    func damaged() throws {
        let bytes = try Self.changed { bytes in bytes[37] ^= 1 }
        #expect(Self.refusal(bytes) == .damaged("a.txt"))
    }

    @Test("What has no directory is no archive, however much of one is there")
    func cut() throws {
        let whole = try Self.archive([("a.txt", "hello"), ("b.txt", "there")])
        for length in 0..<whole.count { #expect(Self.refusal(Array(whole[..<length])) != nil, "\(length)") }
        #expect(Self.refusal([]) == .notAnArchive)
        #expect(Self.refusal(Array("hello".utf8)) == .notAnArchive)
    }

    @Test("A directory that says to have millions of files is refused before they are looked for")
    func countless() throws {
        let bytes = try Self.changed { bytes in
            let end = bytes.count - 22
            bytes.replaceSubrange(end + 8..<end + 12, with: [0xFE, 0xFF, 0xFE, 0xFF])
        }
        #expect(Self.refusal(bytes) == .notAnArchive)
    }
}

/// A destination and a source of which zeros are only counted.
private struct Hollow: ZipDestination, ZipSource {
    private var pieces: [(offset: Int, bytes: [UInt8])] = []
    private(set) var count: Int

    init(count: Int) { self.count = count }

    mutating func append(_ bytes: [UInt8]) {
        pieces.append((count, bytes))
        count += bytes.count
    }

    mutating func replace(at offset: Int, with bytes: [UInt8]) {
        for index in pieces.indices where pieces[index].offset <= offset {
            let place = offset - pieces[index].offset
            guard place + bytes.count <= pieces[index].bytes.count else { continue }
            pieces[index].bytes.replaceSubrange(place..<place + bytes.count, with: bytes)
        }
    }

    func read(at offset: Int, count: Int) -> [UInt8] {
        var result = [UInt8](repeating: 0, count: max(0, min(count, self.count - offset)))
        for piece in pieces {
            let from = max(piece.offset, offset)
            let to = min(piece.offset + piece.bytes.count, offset + result.count)
            guard from < to else { continue }
            result.replaceSubrange(
                from - offset..<to - offset, with: piece.bytes[from - piece.offset..<to - piece.offset])
        }
        return result
    }
}
