import Foundation

/// ZIP files that Python's zipfile packs, which is another's program.
public enum PythonZip {
    /// A ZIP file that could not be made.
    public struct NotMade: Error { var output: String }

    /// A ZIP file with compressed files, by name and text.
    ///
    /// - Parameter nested: the name under which that ZIP file lies alone in another, which is the result.
    public static func file(_ files: [(String, String)], nested: String? = nil) throws -> [UInt8] {
        let json = try JSONEncoder().encode(files.map { [$0.0, $0.1] })
        let script = """
            import base64, io, json, sys, zipfile
            def zipped(files):
                buffer = io.BytesIO()
                with zipfile.ZipFile(buffer, 'w', zipfile.ZIP_DEFLATED) as z:
                    for name, content in files: z.writestr(name, content)
                return buffer.getvalue()
            data = zipped(json.loads(sys.argv[1]))
            if sys.argv[2]: data = zipped([(sys.argv[2], data)])
            sys.stdout.write(base64.b64encode(data).decode())
            """
        let result = try CommandResult.of(
            "/usr/bin/env", ["python3", "-c", script, String(decoding: json, as: UTF8.self), nested ?? ""])
        guard result.status == 0, let data = Data(base64Encoded: result.output) else {
            throw NotMade(output: result.output)
        }
        return Array(data)
    }

    /// A workbook of Excel's (ECMA-376, part 1) with these sheets, by name and rows; what is a number by its letters is one.
    public static func workbook(_ sheets: [(String, [[String]])]) throws -> [UInt8] {
        func escaped(_ text: String) -> String { text.replacing("&", with: "&amp;").replacing("<", with: "&lt;") }
        func cell(_ text: String) -> String {
            if text.isEmpty { return "<c/>" }
            return Double(text) != nil
                ? "<c><v>\(text)</v></c>" : "<c t=\"inlineStr\"><is><t>\(escaped(text))</t></is></c>"
        }
        var files: [(String, String)] = []
        for (place, (_, rows)) in sheets.enumerated() {
            let text = rows.map { "<row>\($0.map(cell).joined())</row>" }.joined()
            files.append(
                ("xl/worksheets/sheet\(place + 1).xml", "<worksheet><sheetData>\(text)</sheetData></worksheet>"))
        }
        let names = sheets.enumerated().map {
            "<sheet name=\"\(escaped($1.0))\" sheetId=\"\($0 + 1)\" r:id=\"rId\($0 + 1)\"/>"
        }
        files.append(("xl/workbook.xml", "<workbook><sheets>\(names.joined())</sheets></workbook>"))
        let targets = sheets.indices.map {
            "<Relationship Id=\"rId\($0 + 1)\" Target=\"worksheets/sheet\($0 + 1).xml\"/>"
        }
        files.append(("xl/_rels/workbook.xml.rels", "<Relationships>\(targets.joined())</Relationships>"))
        return try file(files)
    }
}
