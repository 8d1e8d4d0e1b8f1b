import GRDB
import HTTPTypes
import HubInstruments
import HubKit
import TestInstruments
import Testing

@testable import TriviaToyHub

@Suite("Facts of a household's own")
struct ImportTests {
    private typealias App = CompanionTestApp<TriviaToy>

    // Rows of tables as Excel of several countries, Numbers and LibreOffice save them.
    @Test(
        "A table is taken as spreadsheets save it",
        arguments: [
            "\u{FEFF}sep=;\r\ntext;category;age\r\n\"Igel; nachts unterwegs\";animals;6\r\n",
            "text\tcategory\tage\rIgel; nachts unterwegs\tanimals\t6.0\r",
            "age,text,category\n6.0,Igel; nachts unterwegs,animals\n",
            "text;age;category\n\"Igel; nachts unterwegs\";6,0;animals\n",
        ])
    func spreadsheets(table: String) async throws {
        let app = try await CompanionTestApp<TriviaToy>()
        let answer = try await app.send(.post, "/api/toy/imports?format=csv", bytes: Array(table.utf8))
        #expect(answer["added"] as? Int == 1, "\(answer.text)")
        let row = try await app.hub.database.pool.read { db in
            try FactRecord.fetchOne(db, sql: "SELECT * FROM toy_fact WHERE origin = 'csv'")
        }
        #expect(row?.text == "Igel; nachts unterwegs" && row?.youngestAge == 6)
    }

    // A workbook as Excel saves it, a ZIP file with a table, a title above the names, columns twice and without names.
    @Test("A workbook is taken, and a table with a title above it, in the sheet that has a column of texts")
    func workbooks() async throws {
        let app = try await App()
        let book = try PythonZip.workbook([
            ("Notizen", [["was", "wann"], ["Igel", "heute"]]),
            (
                "Wissen",
                [
                    ["Unser Wissen"], [], ["Kategorie", "category", "Text", "Age", "text"],
                    ["x", "animals", "Igel sind nachts unterwegs.", "6.0", "Nicht das."],
                    ["x", "castles", "Burgen.", "5"],
                    ["x", "space", "Der Mond.", "7.5"],
                ]
            ),
        ])
        let answer = try await app.send(.post, "/api/toy/imports?format=csv", bytes: book)
        #expect(answer["added"] as? Int == 1 && answer["refused"] as? Int == 2, "\(answer.text)")
        #expect(answer["faults", "0", "row"] as? Int == 5 && answer["faults", "1", "row"] as? Int == 6)
        let row = try await app.hub.database.pool.read { db in
            try FactRecord.fetchOne(db, sql: "SELECT * FROM toy_fact WHERE origin = 'csv'")
        }
        #expect(row?.text == "Igel sind nachts unterwegs." && row?.youngestAge == 6)
        let zip = try PythonZip.file([("liesmich.txt", "hallo"), ("facts.csv", "text\nBienen tanzen.\n")])
        #expect(try await app.send(.post, "/api/toy/imports?format=csv", bytes: zip)["added"] as? Int == 1)
        let old = try await app.send(
            .post, "/api/toy/imports?format=csv", bytes: [0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1, 0])
        #expect(old.status == 422 && old.detail.contains(".xlsx"), "\(old.text)")
    }

    @Test("One quotation mark that is never closed costs its own row alone")
    func openQuote() async throws {
        let answer = try await App().send(
            .post, "/api/toy/imports?format=csv", "text\nOne.\n\"Two.\nThree.\n\"Four.\nFive.")
        // The first is closed by the second, as far as anybody can tell; the last is not.
        #expect(answer["added"] as? Int == 3, "\(answer.text)")
        let last = try await App().send(.post, "/api/toy/imports?format=csv", "text\nOne.\n\"Two.\nThree.\n")
        #expect(last["added"] as? Int == 2 && last["refused"] as? Int == 1, "\(last.text)")
        #expect(
            last["faults", "0", "reason"] as? String == "Row 3 has a quotation mark that is opened and never closed.")
    }

    @Test("A table is read with quotes, line ends and a byte order mark, and its wrong rows are named")
    func table() async throws {
        let app = try await App()
        let long = String(repeating: "x", count: 5_000)
        let table =
            "\u{FEFF}Text,category,age,source,url\r\n\"He said \"\"hi\"\", twice\r\nover\",animals,5,Us,https://example.org\r\n"
            + "Emoji \u{1F600} too,,,,\n\n\(long),space,,,\nNo such,castles,,,\nOld,space,ten,,\n,space,,,\nLink,,,,javascript:x"
        let answer = try await app.send(.post, "/api/toy/imports?format=csv", table)
        #expect(answer["added"] as? Int == 2 && answer["refused"] as? Int == 5)
        let reasons = (answer["faults"] as? [[String: Any]] ?? []).compactMap { $0["reason"] as? String }
        #expect(reasons.count == 5)
        #expect(reasons.first == "Row 5 has 5,000 characters in 5,000 bytes: a toy has room for 1,500 bytes.")
        #expect(reasons.contains { $0.contains("“castles”") } && reasons.contains { $0.contains("“ten”") })
        let texts = try await app.hub.database.pool.read { db in
            try String.fetchAll(db, sql: "SELECT text FROM toy_fact WHERE origin = 'csv' ORDER BY id")
        }
        #expect(texts == ["He said \"hi\", twice  over", "Emoji \u{1F600} too"])
        let again = try await app.send(.post, "/api/toy/imports?format=csv", table)
        #expect(again["added"] as? Int == 0 && again["known"] as? Int == 2)
    }

    // As editors on Windows save JSON: UTF-8 with a mark, “Unicode” (UTF-16), “ANSI” (Windows-1252).
    @Test("A list and an answer of Open Trivia DB are taken as an editor saved them", arguments: 0...2, [false, true])
    func editors(form: Int, isAnswer: Bool) async throws {
        let app = try await App()
        let text =
            isAnswer
            ? #"{"response_code":0,"results":[{},{"type":"boolean","difficulty":"easy","category":"Animals","question":"Bären schlafen.","correct_answer":"True"}]}"#
            : #"[{"text":5},{"text":"Bären schlafen im Winter.","category":"animals"}]"#
        let bytes: [UInt8] =
            switch form {
            case 0: Array(("\u{FEFF}" + text).utf8)
            case 1: ("\u{FEFF}" + text).utf16.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] }
            default: text.unicodeScalars.map { UInt8($0.value) }
            }
        let answer = try await app.send(
            .post, "/api/toy/imports?format=\(isAnswer ? "openTrivia" : "json")", bytes: bytes)
        #expect(answer["added"] as? Int == 1 && answer["refused"] as? Int == 1, "\(answer.text)")
        let found = try await app.hub.database.pool.read { db in
            try Int.fetchOne(db, sql: "SELECT count(*) FROM toy_fact WHERE text LIKE '%Bären schlafen%'")
        }
        #expect(found == 1)
    }

    @Test("What is no table or list is refused whole, with what to do")
    func refused() async throws {
        let app = try await App()
        let before = try await app.count("toy_fact")
        for (format, body, words) in [
            ("csv", "a,b\n1,2", "“text”"), ("csv", "text\n\"open", "never closed"), ("csv", "", "“text”"),
            ("json", "{}", "JSON list"), ("json", "[", "JSON list"), ("xml", "", "csv, json or openTrivia"),
            ("openTrivia", "<html>", "no JSON"), ("openTrivia", "{}", "response_code"),
        ] {
            let answer = try await app.send(.post, "/api/toy/imports?format=\(format)", body)
            #expect(answer.status == 422 && answer.detail.contains(words), "\(answer.text)")
        }
        #expect(try await app.count("toy_fact") == before)
    }

    @Test("A table in Windows-1252 is taken, and a packed file or one that is too large is refused")
    func bytes() async throws {
        let app = try await App()
        let latin = try await app.send(
            .post, "/api/toy/imports?format=csv", bytes: Array("text\nThe first coffee house had no caf".utf8) + [0xE9])
        #expect(latin["added"] as? Int == 1, "Windows-1252, as Excel saves it: \(latin.text)")
        let packed = try await app.send(.post, "/api/toy/imports?format=csv", bytes: [0x50, 0x4B, 3, 4, 20, 0])
        #expect(packed.status == 422 && packed.detail.contains("Save it again"))
        let large = try await app.send(
            .post, "/api/toy/imports?format=csv", bytes: [UInt8](repeating: 0x61, count: (1 << 20) + 1))
        #expect(large.status == 413)
    }

    @Test("A file of more rows than there may be facts is refused, and one of as many is read")
    func manyRows() throws {
        var limits = ToyLimits()
        limits.facts = 3
        let rows = Array("text\nOne.\n\nTwo.\nThree.\n".utf8)
        #expect(try FactImport.table(rows, limits).facts.count == 3)
        let error = #expect(throws: Problem.self) { try FactImport.table(rows + Array("Four.".utf8), limits) }
        #expect(error?.status == .conflict)
    }

    @Test("A list takes objects, and names what is none")
    func list() async throws {
        let answer = try await App().send(
            .post, "/api/toy/imports?format=json",
            #"[{"text":"One.","language":"de","difficulty":"hard"},7,{"text":7},{"text":"Two.","age":120}]"#)
        #expect(answer["added"] as? Int == 1 && answer["refused"] as? Int == 3)
    }

    @Test(
        "A list may lie under a name, or have an object a line, and an age may be a text, as programs export them",
        arguments: [
            #"{"facts":[{"text":"One.","age":"6"},{"text":"Two.","age":"7.0"}],"version":3}"#,
            "{\"text\":\"One.\",\"age\":6}\r\n{\"text\":\"Two.\",\"age\":7.0}\r\n",
            "\u{FEFF}[{\"text\":\"One.\",\"age\":\" 6 \"},{\"text\":\"Two.\",\"age\":7}]",
        ])
    func exported(list: String) async throws {
        let app = try await App()
        let answer = try await app.send(.post, "/api/toy/imports?format=json", list)
        #expect(answer["added"] as? Int == 2, "\(answer.text)")
        let ages = try await app.hub.database.pool.read { db in
            try Int.fetchAll(db, sql: "SELECT youngest_age FROM toy_fact WHERE text IN ('One.', 'Two.') ORDER BY text")
        }
        #expect(ages == [6, 7])
    }

    @Test("What is wrong with a row is said in the reader’s language")
    func german() async throws {
        let answer = try await App().send(
            .post, "/api/toy/imports?format=csv", "text,age\n,6\nOne.,old\n", headers: ["Accept-Language": "de"])
        let reasons = (answer["faults"] as? [[String: Any]] ?? []).compactMap { $0["reason"] as? String }
        #expect(reasons == ["Zeile 2 hat keinen Text.", "Zeile 3 hat das Alter „old“, das keine Zahl ist."])
    }

    @Test("A line that is none costs itself, and an object with two lists is none", arguments: [true, false])
    func mixed(isLines: Bool) async throws {
        let lines = "{\"text\":\"One.\"}\n{\"text\":\n{\"text\":\"Two.\"}\n"
        let two = #"{"a":[{"text":"One."}],"b":[{"text":"Two."}]}"#
        let answer = try await App().send(.post, "/api/toy/imports?format=json", isLines ? lines : two)
        #expect(answer.status == (isLines ? 200 : 422))
        #expect(answer["added"] as? Int == (isLines ? 2 : nil) && answer["refused"] as? Int == (isLines ? 1 : nil))
    }

    // U+FEFF is EF BB BF (RFC 3629, 6), which Python's cp1252 reads as "ï»¿".
    @Test(
        "The columns are known with byte order marks before their names, and below a title",
        arguments: [
            "\u{FEFF}\u{FEFF}text,age\nOne.,6\n", "ï»¿text;age\nOne.;6\n", "\"\u{FEFF}text\",age\nOne.,6\n",
            "ï»¿\"text\";\"age\"\nOne.;6\n", "\u{200B}text\tage\nOne.\t6\n", "Our facts\n\ntext;age\nOne.;6\n",
            "Our facts, of all\ntext\tage\nOne.\t6\n",
        ])
    func hiddenNames(table: String) async throws {
        let app = try await App()
        let answer = try await app.send(.post, "/api/toy/imports?format=csv", table)
        #expect(answer["added"] as? Int == 1 && answer["refused"] as? Int == 0, "\(answer.text)")
        let age = try await app.hub.database.pool.read { db in
            try Int.fetchOne(db, sql: "SELECT youngest_age FROM toy_fact WHERE text = 'One.'")
        }
        #expect(age == 6)
    }

    @Test(
        "What is broken in a list or a line costs itself, and its line is named",
        arguments: [
            ("{\"text\":\"One.\"}\nnot json\n{\"text\":\"Two.\"}\n", 2),
            ("{\"text\":\"One.\"}\r\n\r\n{\"text\":\"x}\r\n{\"text\":\"Two.\"}\r\n", 3),
            ("[{\"text\":\"One.\"},{\"text\":\"x\" \"y\"},{\"text\":\"Two.\"}]", 1),
            ("[\n  {\"text\": \"One.\"},\n  {\"text\": \"x},\n  {\"text\": \"Two.\"}\n]\n", 3),
            ("{\"facts\": [\n {\"text\":\"One.\"},\n {\"text\":\"Two.\"},\n {\"text\":\"x\"", 4),
        ])
    func broken(list: String, line: Int) async throws {
        let answer = try await App().send(.post, "/api/toy/imports?format=json", list)
        #expect(answer["added"] as? Int == 2 && answer["refused"] as? Int == 1, "\(answer.text)")
        let reason = try #require(answer["faults", "0", "reason"] as? String)
        #expect(reason.contains("is no JSON, in line \(line) of the file"), "\(reason)")
    }

    @Test(
        "An answer of Open Trivia DB is read in each of its encodings, with where it comes from",
        arguments: [
            ("none", "Who wrote &quot;Caf&eacute; &amp; Co&quot;?", "Pi &lt; 4", "Entertainment: Books", "easy"),
            ("urlLegacy", "Who+wrote+%22Caf%C3%A9+%26+Co%22%3F", "Pi+%3C+4", "Entertainment%3A+Books", "easy"),
            (
                "url3986", "Who%20wrote%20%22Caf%C3%A9%20%26%20Co%22%3F", "Pi%20%3C%204", "Entertainment%3A%20Books",
                "easy"
            ),
            ("base64", "V2hvIHdyb3RlICJDYWbDqSAmIENvIj8=", "UGkgPCA0", "RW50ZXJ0YWlubWVudDogQm9va3M=", "ZWFzeQ=="),
        ])
    func openTrivia(encoding: String, question: String, answer: String, category: String, difficulty: String)
        async throws
    {
        let app = try await App()
        let type = encoding == "base64" ? "bXVsdGlwbGU=" : "multiple"
        let body = """
            {"response_code":0,"results":[{"type":"\(type)","difficulty":"\(difficulty)","category":"\(category)",
            "question":"\(question)","correct_answer":"\(answer)","incorrect_answers":[]}]}
            """
        let response = try await app.send(.post, "/api/toy/imports?format=openTrivia&encoding=\(encoding)", body)
        #expect(response["added"] as? Int == 1, "\(response.text)")
        let id = try await app.hub.database.pool.read { db in
            try Int.fetchOne(db, sql: "SELECT id FROM toy_fact WHERE origin = 'openTrivia'")
        }
        let fact = try await app.send(.get, "/api/toy/facts/\(id ?? 0)")
        #expect(fact["text"] as? String == "Who wrote \"Caf\u{E9} & Co\"? The answer is Pi < 4.")
        #expect(fact["category"] as? String == "books" && fact["language"] as? String == "en")
        #expect(fact["sourceTitle"] as? String == "Open Trivia DB, CC BY-SA 4.0")
    }

    @Test("Each response code of Open Trivia DB is said in words")
    func codes() async throws {
        let app = try await App()
        for code in 1...6 {
            let answer = try await app.send(
                .post, "/api/toy/imports?format=openTrivia", #"{"response_code":\#(code),"results":[]}"#)
            #expect(answer.status == (code == 5 ? 429 : 422) && answer.detail.contains("Open Trivia DB"), "\(code)")
            #expect(answer.headers[.retryAfter] == (code == 5 ? "5" : nil))
        }
    }

    @Test("A child brings no facts")
    func child() async throws {
        let app = try await App()
        try await app.use("ines", profile: "mila")
        #expect(try await app.send(.post, "/api/toy/imports?format=json", "[]").status == 403)
    }
}
