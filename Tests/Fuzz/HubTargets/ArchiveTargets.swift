import FuzzTargets

@testable import Archive
@testable import HubKit
@testable import HubServer

extension FuzzTarget {
    static var archives: [FuzzTarget] {
        [
            FuzzTarget(
                "zip-archives",
                dictionary: [
                    "PK\\x01\\x02", "PK\\x03\\x04", "PK\\x05\\x06", "PK\\x06\\x06", "PK\\x06\\x07",
                    "\\xff\\xff\\xff\\xff", "../",
                ],
                seeds: [seed(["README.md": "hello", "data/person.jsonl": "{\"id\":\"a\"}\n"]), seed([:])]
            ) { bytes throws(BrokenProperty) in try checkZip(bytes) },
            FuzzTarget(
                "archived-rows",
                dictionary: [
                    "{\\\"base64\\\":\\\"", "{\\\"file\\\":\\\"", "{\\\"real\\\":\\\"inf\\\"}", "null", "1e400",
                    "-0.0",
                ],
                seeds: [
                    #"{"id":"a","at":-5,"value":41.5,"bytes":{"base64":"AAE="},"sound":{"file":"toy/1.wav"},"none":null}"#,
                    #"{"real":{"real":"inf"},"text":"\u00e4\"\n"}"#,
                ].map { Array($0.utf8) }
            ) { bytes throws(BrokenProperty) in try checkRow(bytes) },
        ]
    }

    private static func seed(_ files: [String: String]) -> [UInt8] {
        var zip = ZipWriter<[UInt8]>([])
        for (name, content) in files.sorted(by: { $0.key < $1.key }) { try? zip.add(name, Array(content.utf8)) }
        try? zip.finish()
        return zip.destination
    }

    /// What is read never comes to more than the archive, and no name leads elsewhere.
    private static func checkZip(_ bytes: [UInt8]) throws(BrokenProperty) {
        guard let zip = try? ZipReader(bytes) else { return }
        var total = 0
        for file in zip.files.values {
            try require(!file.name.hasPrefix("/") && !file.name.contains("\\"), "a name is below the folder")
            try require(!file.name.split(separator: "/").contains(".."), "a name leads nowhere else")
            if let content = try? zip.content(of: file, upTo: bytes.count) { total += content.count }
        }
        try require(total <= bytes.count, "files come to no more than the archive")
    }

    /// A row that is read is written and read again as the same.
    private static func checkRow(_ bytes: [UInt8]) throws(BrokenProperty) {
        var lines = LineSplitter()
        var rows: [[String: TableLines.Value]] = []
        try? lines.take(bytes) { rows.append(try TableLines.read($0)) }
        for row in rows {
            let line = TableLines.line(row)
            try require((try? TableLines.read(line)) == row, "a row is the same when it is read again")
        }
    }
}
