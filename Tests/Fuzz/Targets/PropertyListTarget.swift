import DrumsEngine

extension FuzzTarget {
    static var propertyLists: [FuzzTarget] {
        [
            FuzzTarget(
                "property-list", longestInput: 8_192,
                dictionary: [
                    "<plist version=\\\"1.0\\\">", "</plist>", "<array>", "</array>", "<dict>", "</dict>", "<key>",
                    "</key>",
                    "<string>", "</string>", "<integer>", "</integer>", "<real>", "</real>", "<true/>", "<false/>",
                    "<date>2016-04-20T15:30:01Z</date>", "<data>", "</data>", "<![CDATA[", "]]>", "<!--", "-->",
                    "<!DOCTYPE plist ", "&amp;", "&#x41;", "<?xml version=\\\"1.0\\\"?>", "bplist00",
                ],
                seeds: [xmlList, binaryList]
            ) { bytes throws(BrokenProperty) in try checkList(bytes) }
        ]
    }

    private static var xmlList: [UInt8] {
        Array(
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
            <plist version="1.0"><array><dict><key>tempo</key><integer>120</integer><key>song_name</key>
            <string>F&#xFC;r &amp; <![CDATA[<b>]]></string><key>drums</key><array><true/><false/><real>-1.5e2</real></array>
            <key>date</key><date>2016-04-20T15:30:01Z</date><key>d</key><data>AAEC</data></dict></array></plist>
            """.utf8)
    }

    /// `[{"ab": 120, "c": [true, "ä", 1.0, a date]}]`, with two bytes for each reference.
    private static var binaryList: [UInt8] {
        let objects: [[UInt8]] = [
            [0xA1, 1], [0xD2, 2, 3, 4, 5], [0x52, 0x61, 0x62], [0x51, 0x63], [0x10, 120], [0xA4, 6, 7, 8, 9], [0x09],
            [0x61, 0x00, 0xE4], [0x23, 0x3F, 0xF0, 0, 0, 0, 0, 0, 0], [0x33, 0x41, 0xB7, 0, 0, 0, 0, 0, 0],
        ]
        var bytes = Array("bplist00".utf8)
        var offsets: [UInt8] = []
        for object in objects {
            offsets.append(UInt8(clamping: bytes.count))
            bytes += object
        }
        let table = UInt8(clamping: bytes.count)
        let trailer: [UInt8] =
            [0, 0, 0, 0, 0, 0, 1, 1] + [UInt8](repeating: 0, count: 7) + [UInt8(clamping: objects.count)]
            + [UInt8](repeating: 0, count: 15) + [table]
        return bytes + offsets + trailer
    }

    /// What is read lies within the limits, whatever a small file unfolds to; and an error has its place in the file.
    private static func checkList(_ bytes: [UInt8]) throws(BrokenProperty) {
        let limits = PropertyList.Limits()
        let list: PropertyList
        do throws(PropertyListError) {
            list = try PropertyList(bytes, limits: limits)
        } catch {
            return try require((0...bytes.count).contains(error.offset), "an error lies in the file: \(error.offset)")
        }
        let size = try size(of: list, levelsLeft: limits.depth + 1)
        let most = min(limits.unfolded, limits.unfoldedPerByte * bytes.count + 65_536)
        try require(size <= most, "what it unfolds to is bounded: \(size) of \(most)")
    }

    /// Values and bytes of text. Recurses, for depth is bounded, which it checks.
    private static func size(of list: PropertyList, levelsLeft: Int) throws(BrokenProperty) -> Int {
        try require(levelsLeft >= 0, "it is no deeper than the limit")
        switch list {
        case .array(let values):
            var sum = 1
            for value in values { sum += try size(of: value, levelsLeft: levelsLeft - 1) }
            return sum
        case .dictionary(let entries):
            var sum = 1
            for entry in entries {
                try require(String(validating: entry.key, as: UTF8.self) != nil, "a key is UTF-8")
                sum += 1 + entry.key.count + (try size(of: entry.value, levelsLeft: levelsLeft - 1))
            }
            return sum
        case .text(let text):
            try require(String(validating: text, as: UTF8.self) != nil, "text is UTF-8")
            return 1 + text.count
        case .data(let bytes): return 1 + bytes.count
        case .integer, .real, .boolean, .date, .unreadable: return 1
        }
    }
}
