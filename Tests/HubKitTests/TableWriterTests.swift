import Foundation
import TestInstruments
import Testing

@testable import HubKit

@Suite("Tables as they are written")
struct TableWriterTests {
    private func written(_ form: TableForm) -> [UInt8] {
        var table = TableWriter(form)
        table.line(["name", "value (µs)", "a;b", "c,d"])
        table.line([.text("Grün \"x\""), .number("-1.5"), .text("=1+1"), TableCell(3)])
        table.add("Igel; Bär")
        table.add(fixedPoint: 101_325, places: 3)
        table.addEmpty()
        table.add(Int64.min)
        table.endLine()
        return table.take()
    }

    @Test("For programs it is RFC 4180, with points and no mark")
    func plain() {
        #expect(
            String(decoding: written(.plain), as: UTF8.self)
                == "name,value (µs),a;b,\"c,d\"\r\n\"Grün \"\"x\"\"\",-1.5,'=1+1,3\r\nIgel; Bär,101.325,,-9223372036854775808\r\n"
        )
    }

    @Test("For a spreadsheet it begins with U+FEFF; with semicolons numbers have decimal commas, and texts keep theirs")
    func spreadsheets() {
        #expect(written(.comma) == [0xEF, 0xBB, 0xBF] + written(.plain))
        #expect(
            String(decoding: written(.semicolon).dropFirst(3), as: UTF8.self)
                == "name;value (µs);\"a;b\";\"c,d\"\r\n\"Grün \"\"x\"\"\";-1,5;'=1+1;3\r\n\"Igel; Bär\";101,325;;-9223372036854775808\r\n"
        )
    }

    @Test("Another program reads what was written", arguments: [(TableForm.comma, ",", "."), (.semicolon, ";", ",")])
    func python(form: TableForm, separator: String, sign: String) throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/table.csv"
        try Data(written(form)).write(to: URL(filePath: path))
        let script = """
            import csv, sys
            rows = list(csv.reader(open(sys.argv[1], encoding="utf-8-sig", newline=""), delimiter=sys.argv[2]))
            assert [len(row) for row in rows] == [4, 4, 4], rows
            print(rows[1][0], float(rows[1][1].replace(sys.argv[3], ".")), rows[2][0], float(rows[2][1].replace(sys.argv[3], ".")))
            """
        let result = try CommandResult.of("/usr/bin/env", ["python3", "-c", script, path, separator, sign])
        #expect(result.output == "Grün \"x\" -1.5 Igel; Bär 101.325\n", "\(result.output)")
    }

    @Test("What is taken is gone, and the mark comes once")
    func pieces() {
        var table = TableWriter(.semicolon)
        table.line(["a", "b"])
        let first = table.take()
        table.line(["c", "d"])
        #expect(first + table.take() == [0xEF, 0xBB, 0xBF] + Array("a;b\r\nc;d\r\n".utf8))
        var next = TableWriter(.comma, isContinued: true, lineEnd: "\n")
        next.add(prepared: TableWriter.cells(["x,y", "z"], in: .comma))
        next.endLine()
        #expect(String(decoding: next.take(), as: UTF8.self) == "\"x,y\",z\n")
    }
}
