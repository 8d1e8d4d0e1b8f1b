import Foundation
import TestInstruments
import Testing
import Wire

/// Files that Python's own modules packed: zlib and zipfile are other people's programs.
private func packed(_ script: String) throws -> [UInt8] {
    let head = """
        import base64, io, random, struct, sys, zipfile, zlib
        def raw(data, level=9, strategy=0):
            c = zlib.compressobj(level, zlib.DEFLATED, -15, 9, strategy)
            return c.compress(data) + c.flush()
        def out(data): sys.stdout.write(base64.b64encode(data).decode())

        """
    let result = try CommandResult.of("/usr/bin/env", ["python3", "-c", head + script])
    #expect(result.status == 0, "\(result.output)")
    return Array(try #require(Data(base64Encoded: result.output)))
}

@Suite("What zlib compressed")
struct InflateTests {
    /// Numbers as a sensor's table has them, 150 kB: longer than a window, with codes of all lengths.
    private static let table =
        "''.join(f'{i},{i * i % 9973 / 1000},{(i * 7919) % 65536}\\n' for i in range(8000)).encode()"

    @Test(
        "Each way of compressing unfolds to what was compressed",
        arguments: [
            "raw(data, 0)", "raw(data, 1)", "raw(data, 6)", "raw(data, 9)", "raw(data, 9, zlib.Z_HUFFMAN_ONLY)",
            "raw(data, 9, zlib.Z_FIXED)", "raw(data, 9, zlib.Z_RLE)",
        ])
    func unfolds(how: String) throws {
        let data = try packed("data = \(Self.table)\nout(data)")
        let bytes = try packed("data = \(Self.table)\nout(\(how))")
        #expect(try inflated(bytes.span, upTo: data.count) == data)
        #expect(throws: InflateError.tooLarge) { try inflated(bytes.span, upTo: data.count - 1) }
        #expect(throws: InflateError.damaged) {
            try inflated(bytes.span.extracting(0..<(bytes.count / 2)), upTo: 1 << 20)
        }
    }

    @Test("Nothing, one letter, and a million of it are what they were")
    func extremes() throws {
        for (data, count) in [("b''", 0), ("b'a'", 1), ("b'a' * 1000000", 1_000_000)] {
            let bytes = try packed("out(raw(\(data)))")
            #expect(try inflated(bytes.span, upTo: count) == [UInt8](repeating: 0x61, count: count))
        }
    }

    // RFC 1951, 3.2.3: block type 3 is an error. 3.2.4: the complement of the length. 3.2.5: no symbol 286, no distance 30,
    // nothing before the first byte.
    @Test(
        "What is no DEFLATE is damaged, and never more than was allowed",
        arguments: [
            [], [0x07], [0x01, 0x05, 0x00, 0x00, 0x00], [0x63], [0x03, 0x02], [0x05, 0xC0, 0x81, 0x08],
            [0xFF, 0xFF, 0xFF, 0xFF], [0x4B, 0x04, 0x82, 0xFF],
        ] as [[UInt8]])
    func damaged(bytes: [UInt8]) {
        #expect(throws: InflateError.damaged) { try inflated(bytes.span, upTo: 1 << 20) }
    }

    @Test("Changed bytes never trap", arguments: [1, 2, UInt64.random(in: 3...UInt64.max)])
    func changed(seed: UInt64) throws {
        print("fuzz seed \(seed)")
        var random = SeededGenerator(seed: seed)
        let bytes = try packed("out(raw((\(Self.table))[:3000]))")
        for _ in 0..<3_000 {
            var copy = bytes
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                copy[Int.random(in: copy.indices, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            if let some = try? inflated(copy.span, upTo: 10_000) { #expect(some.count <= 10_000) }
        }
    }
}

@Suite("ZIP files that other programs made")
struct PackedFilesTests {
    private func names(_ files: PackedFiles) -> [String] {
        files.files.map { String(decoding: $0.name, as: UTF8.self) }
    }

    @Test(
        "Stored and compressed files, folders, names of other countries, and sizes that stand behind a file",
        arguments: [
            // As Python writes to a file, and as it writes to what cannot go back, like Java's ZipOutputStream in phyphox.
            "buffer = io.BytesIO()",
            """
            class Buffer(io.BytesIO):
                def seekable(self): return False
                def seek(self, *a): raise OSError()
                def tell(self): raise OSError()
            buffer = Buffer()
            """,
        ])
    func read(buffer: String) throws {
        let file = try packed(
            buffer + """

                with zipfile.ZipFile(buffer, 'w') as z:
                    z.writestr('a.csv', 'x,y\\n' * 1000, zipfile.ZIP_DEFLATED)
                    z.writestr('Ordner/', b'') if buffer.__class__ is io.BytesIO else None
                    z.writestr('Ordner/Größe.csv', b'1', zipfile.ZIP_STORED)
                    z.comment = b'a comment behind it'
                out(buffer.getvalue())
                """)
        let files = try PackedFiles(file)
        #expect(names(files) == ["a.csv", "Ordner/Größe.csv"])
        #expect(try files.content(of: files.files[0]) == Array(String(repeating: "x,y\n", count: 1_000).utf8))
        #expect(try files.content(of: files.files[1]) == [0x31])
    }

    @Test("Bytes before the archive are passed over, and one with 64-bit numbers is read")
    func shifted() throws {
        let script = """
            buffer = io.BytesIO()
            with zipfile.ZipFile(buffer, 'w', zipfile.ZIP_DEFLATED) as z:
                with z.open('a.txt', 'w', force_zip64=True) as f: f.write(b'wide')

            """
        for script in [script + "out(buffer.getvalue())", script + "out(b'#!/bin/sh\\n' + buffer.getvalue())"] {
            let files = try PackedFiles(try packed(script))
            #expect(try files.content(of: files.files[0]) == Array("wide".utf8))
        }
    }

    @Test("One damaged, locked or strangely compressed file is said, and the others are read")
    func others() throws {
        let file = try packed(
            """
            buffer = io.BytesIO()
            with zipfile.ZipFile(buffer, 'w') as z:
                z.writestr('good.csv', 'a,b')
                z.writestr('bad.csv', 'c,d')
                z.writestr('bzip2.csv', 'e,f', zipfile.ZIP_BZIP2)
                z.writestr('locked.csv', 'g,h')
            data = bytearray(buffer.getvalue())
            data[data.index(b'c,d')] = ord('C')
            at = data.rindex(b'locked.csv') - 46
            data[at + 8] |= 1
            out(bytes(data))
            """)
        let files = try PackedFiles(file)
        #expect(try files.content(of: files.files[0]) == Array("a,b".utf8))
        #expect(throws: PackedFilesError.damaged) { try files.content(of: files.files[1]) }
        #expect(throws: PackedFilesError.unknownMethod) { try files.content(of: files.files[2]) }
        #expect(throws: PackedFilesError.encrypted) { try files.content(of: files.files[3]) }
    }

    @Test("What unfolds to more than is allowed is not unfolded, whatever it says of itself")
    func bombs() throws {
        let script = """
            buffer = io.BytesIO()
            with zipfile.ZipFile(buffer, 'w', zipfile.ZIP_DEFLATED) as z:
                for i in range(COUNT): z.writestr(f'{i}.csv', b'0' * 1000000)
            data = buffer.getvalue()

            """
        var limits = PackedFiles.Limits()
        limits.bytes = 2_500_000
        let three = try packed(script.replacing("COUNT", with: "3") + "out(data)")
        #expect(throws: PackedFilesError.tooLarge) { try PackedFiles(three, limits: limits) }
        // It says to be 10 bytes.
        let liar = try packed(
            script.replacing("COUNT", with: "1")
                + "at = data.rindex(b'PK\\x01\\x02')\nout(data[:at + 24] + struct.pack('<I', 10) + data[at + 28:])")
        let files = try PackedFiles(liar, limits: limits)
        #expect(throws: PackedFilesError.damaged) { try files.content(of: files.files[0]) }
        limits.files = 2
        #expect(throws: PackedFilesError.tooLarge) { try PackedFiles(three, limits: limits) }
    }

    @Test("One that was cut short is none, and no cut traps")
    func cut() throws {
        let file = try packed(
            """
            buffer = io.BytesIO()
            with zipfile.ZipFile(buffer, 'w', zipfile.ZIP_DEFLATED) as z: z.writestr('a.csv', 'a,b\\n' * 30)
            out(buffer.getvalue())
            """)
        for count in 0..<file.count {
            #expect(throws: PackedFilesError.notPacked) { try PackedFiles(Array(file[..<count])) }
        }
    }

    @Test("Changed bytes never trap", arguments: [1, 2, UInt64.random(in: 3...UInt64.max)])
    func changed(seed: UInt64) throws {
        print("fuzz seed \(seed)")
        var random = SeededGenerator(seed: seed)
        let file = try packed(
            """
            buffer = io.BytesIO()
            with zipfile.ZipFile(buffer, 'w', zipfile.ZIP_DEFLATED) as z:
                z.writestr('a.csv', 'a,b\\n' * 30)
                with z.open('b.txt', 'w', force_zip64=True) as f: f.write(b'wide')
            out(buffer.getvalue())
            """)
        for _ in 0..<10_000 {
            var copy = file
            for _ in 0..<Int.random(in: 1...6, using: &random) {
                copy[Int.random(in: copy.indices, using: &random)] =
                    [0, 1, 0x7F, 0x80, 0xFF].randomElement(using: &random) ?? 0
            }
            guard let files = try? PackedFiles(copy) else { continue }
            for one in files.files {
                if let content = try? files.content(of: one) { #expect(content.count == one.bytes) }
            }
        }
    }
}
