import TestInstruments
import Testing

@testable import DrumsEngine

@Suite("Property lists")
struct PropertyListTests {
    private static let head = """
        <?xml version="1.0" encoding="UTF-8"?>
        <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
        <plist version="1.0">

        """

    private static func xml(_ content: String) throws(PropertyListError) -> PropertyList {
        try PropertyList(Array((head + content + "</plist>\n").utf8))
    }

    private static func text(_ text: String) -> PropertyList { .text(Array(text.utf8)) }

    /// Objects, with references of one byte, as a binary list.
    private static func binary(_ objects: [[UInt8]], top: UInt8 = 0) -> [UInt8] {
        var bytes = Array("bplist00".utf8)
        var offsets: [UInt8] = []
        for object in objects {
            offsets.append(UInt8(bytes.count))
            bytes += object
        }
        let table = UInt8(bytes.count)
        bytes += offsets + [0, 0, 0, 0, 0, 0, 1, 1]
        for number in [UInt8(objects.count), top, table] { bytes += [0, 0, 0, 0, 0, 0, 0, number] }
        return bytes
    }

    private static func failure(_ bytes: [UInt8]) -> PropertyListError.Kind? {
        do throws(PropertyListError) {
            _ = try PropertyList(bytes)
            return nil
        } catch {
            return error.kind
        }
    }

    @Test(
        "Every kind of value of the XML form",
        arguments: [
            ("<string>Für Elise</string>", text("Für Elise")), ("<string/>", text("")),
            ("<string>a &lt;b&gt; &amp;amp; &quot;c&apos; &#66;&#x1F941;</string>", text("a <b> &amp; \"c' B🥁")),
            ("<string> <![CDATA[<b> &amp; ]]]]><![CDATA[>]]></string>", text(" <b> &amp; ]]>")),
            ("<string>a<!-- <b> --> b</string>", text("a b")),
            ("<integer>-42</integer>", .integer(-42)), ("<integer> 9223372036854775807\n</integer>", .integer(.max)),
            ("<real>-1.5e3</real>", .real(-1_500)), ("<true/>", .boolean(true)), ("<false></false>", .boolean(false)),
            (
                "<date>2016-04-20T15:30:01Z</date>",
                .date(.fields(year: 2016, month: 4, day: 20, hour: 15, minute: 30, second: 1))
            ), ("<data>\n\tSGFs\n\tbG8=\n</data>", .data(Array("Hallo".utf8))), ("<data/>", .data([])),
            ("<array/>", .array([])), ("<dict />", .dictionary([])),
            ("<!-- > --><array><!-- - --><true/> <array></array></array>", .array([.boolean(true), .array([])])),
            (
                "<dict><key>a&amp;b</key><integer>1</integer><key/><dict/></dict>",
                .dictionary([
                    .init(key: Array("a&b".utf8), value: .integer(1)), .init(key: [], value: .dictionary([])),
                ])
            ),
        ])
    func values(content: String, value: PropertyList) throws {
        #expect(try Self.xml(content) == value)
    }

    @Test(
        "What is no XML property list is refused, with its kind",
        arguments: [
            ("", .otherForm), ("   ", .otherForm), ("hello", .otherForm), ("({a = 1;})", .otherForm),
            ("bplist", .otherForm), ("<", .cutOff), ("<?xml version=\"1.0\"", .cutOff), ("<!-- ", .cutOff),
            ("<!DOCTYPE plist", .cutOff), ("<plist>", .cutOff), ("<plist><array>", .cutOff),
            ("<plist><string>a", .cutOff), ("<plist><string><![CDATA[a</string></plist>", .cutOff),
            ("<plist><array></plist>", .tag), ("<plist></plist>", .tag), ("<plist/>", .tag),
            ("<plist><true/><true/></plist>", .tag), ("<array/>", .tag), ("<html/>", .tag),
            ("<plist><arrays/></plist>", .tag), ("<plist><plist><true/></plist></plist>", .tag),
            ("<plist><array><key>a</key></array></plist>", .tag),
            ("<plist><string>a<b/></string></plist>", .tag), ("<plist><array></dict></plist>", .tag),
            ("<plist><true></false></plist>", .tag), ("<plist a=\"<\"b<><true/></plist>", .tag),
            ("<plist>a<true/></plist>", .misplaced), ("<plist><true/></plist>a", .misplaced),
            ("<!DOCTYPE plist [<!ENTITY a \"b\">]><plist><string>&a;</string></plist>", .ownTypes),
        ] as [(String, PropertyListError.Kind)])
    func refused(text: String, kind: PropertyListError.Kind) {
        #expect(Self.failure(Array(text.utf8)) == kind)
    }

    @Test(
        "A key without a value costs its entry, and a value without a key itself",
        arguments: [
            ("<key>a</key>", ["a unreadable"]), ("<key>a</key><key>b</key><true/>", ["a unreadable", "b"]),
            ("<key>a</key><true/><key>b</key>", ["a", "b unreadable"]), ("<true/><key>b</key><false/>", ["b"]),
            ("<string>a</string>", []),
        ])
    func keys(content: String, expected: [String]) throws {
        let list = try PropertyList(Array("<plist><array><dict>\(content)</dict><true/></array></plist>".utf8))
        guard case .array(let values) = list, case .dictionary(let entries)? = values.first else {
            return _ = Issue.record("\(list)")
        }
        #expect(values.count == 2)
        let found = entries.map { entry in
            let key = String(decoding: entry.key, as: UTF8.self)
            if case .unreadable = entry.value { return key + " unreadable" }
            return key
        }
        #expect(found == expected)
    }

    @Test(
        "A value that is not what its tag says costs itself alone",
        arguments: [
            ("<integer/>", .number), ("<integer>1.5</integer>", .number),
            ("<integer>9223372036854775808</integer>", .number),
            ("<real>nan</real>", .number), ("<date>2016-04-20</date>", .date),
            ("<date>2016-13-20T15:30:01Z</date>", .date),
            ("<date>2016-04-20T24:30:01Z</date>", .date), ("<date>+016-04-20T15:30:01Z</date>", .date),
            ("<string>&none;</string>", .misplaced), ("<string>Salt & Pepper</string>", .misplaced),
            ("<string>&#xD800;</string>", .misplaced), ("<string>a&#0;</string>", .misplaced),
            ("<string>&#99999999;</string>", .misplaced), ("<string>&</string>", .misplaced),
            ("<data>QQ</data>", .data), ("<data>Q===</data>", .data), ("<data>QQ==QQ==</data>", .data),
        ] as [(String, PropertyListError.Kind)])
    func unreadable(content: String, kind: PropertyListError.Kind) throws {
        #expect(try Self.xml("<array>\(content)<true/></array>") == .array([.unreadable(kind), .boolean(true)]))
    }

    // ISO 8601; 482,859,001 s after 1 January 2001 is 2016-04-20T15:30:01Z.
    @Test(
        "A date may have a fraction, an offset or a space",
        arguments: [
            ("2016-04-20T15:30:01.034Z", 482_859_001.034), ("2016-04-20T17:30:01+02:00", 482_859_001),
            ("2016-04-20 15:30:01Z", 482_859_001), ("2016-04-20T15:30:01,5+0000", 482_859_001.5),
            // As NSDate describes itself.
            ("2016-04-20 15:30:01 +0000", 482_859_001), ("2016-04-20 08:30:01 -0700", 482_859_001),
        ])
    func dates(text: String, seconds: Double) throws {
        #expect(try Self.xml("<date>\(text)</date>") == .date(.seconds(seconds)))
    }

    @Test("A list in UTF-16 is read, of either order of bytes, with its mark and without")
    func utf16() throws {
        let xml = "<?xml version=\"1.0\" encoding=\"UTF-16\"?><plist><string>Für Elise 🥁</string></plist>"
        for isMarked in [true, false] {
            let units = Array((isMarked ? "\u{FEFF}" : "").utf16) + Array(xml.utf16)
            let little = units.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] }
            let big = units.flatMap { [UInt8($0 >> 8), UInt8(truncatingIfNeeded: $0)] }
            #expect(try PropertyList(little) == Self.text("Für Elise 🥁"))
            #expect(try PropertyList(big) == Self.text("Für Elise 🥁"))
        }
    }

    @Test("The order of the bytes mark is passed over")
    func mark() throws {
        #expect(try PropertyList([0xEF, 0xBB, 0xBF] + Array("<plist><true/></plist>".utf8)) == .boolean(true))
        #expect(Self.failure([0xFF, 0xFE, 0x3C, 0]) == .cutOff)
    }

    @Test(
        "The bytes say the encoding, whatever the declaration says, and a byte that is damaged is not the file",
        arguments: [("ISO-8859-1", 0xFC), ("windows-1252", 0xFC), ("UTF-8", 0xFC), ("UTF-16", nil)]
            as [(String, UInt8?)])
    func encodings(declared: String, byte: UInt8?) throws {
        let head = Array("<?xml version=\"1.0\" encoding=\"\(declared)\"?><plist><string>F".utf8)
        let end = Array("r</string></plist>".utf8)
        #expect(try PropertyList(head + (byte.map { [$0] } ?? Array("ü".utf8)) + end) == Self.text("Für"))
    }

    @Test("Of a file that was cut off or filled up what is whole is read")
    func cutOff() throws {
        let whole = "<plist><array><dict><key>a</key><true/></dict><false/><dict><key>b</key>"
        let first = PropertyList.dictionary([.init(key: Array("a".utf8), value: .boolean(true))])
        for more in ["", "<string>c", "<integer>1</integer></di", "<array><true/>"] {
            let list = try PropertyList(Array((whole + more).utf8))
            #expect(list == .array([first, .boolean(false), .unreadable(.cutOff)]), "\(more)")
        }
        #expect(try PropertyList(Array("<plist><true/></plist>\n\u{0}\u{0}\u{0}".utf8)) == .boolean(true))
    }

    private static func session(_ name: String) -> String {
        "<dict><key>a</key><array><integer>1</integer></array><key>b</key><string>\(name)</string></dict>\n"
    }

    private static func read(_ name: String) -> PropertyList {
        .dictionary([
            .init(key: Array("a".utf8), value: .array([.integer(1)])), .init(key: Array("b".utf8), value: text(name)),
        ])
    }

    // Apple's PropertyList-1.0.dtd has none of these there; what is whole beside them is as in the file without.
    @Test(
        "A damaged spot in the tags costs the dictionary that it stands in, and the reading goes on behind it",
        arguments: [
            ("<integer>1</integer>", "<null/>"), ("<integer>1</integer>", "<int>1</int>"), ("2", "I <3 you"),
            ("</string>", "</strin>"), ("</string>", ""), ("</array>", ""), ("</array>", "</array>x"),
            ("<dict>", "<dict>x"),
            ("<key>a</key>", "<<<<<<< HEAD\n<key>a</key>"), ("</key>", "<key>"), ("<array>", "<array"),
            ("</array>", "</array></array>"),
            ("<key>", "<!-- <key>"), ("2", "<![CDATA[2"), ("<string>", "<string a=\">"), ("<key>", "</dict><key>"),
        ])
    func damagedTags(from: String, to: String) throws {
        var second = Self.session("2")
        let place = try #require(second.firstRange(of: from))
        second.replaceSubrange(place, with: to)
        let list = try Self.xml(
            "<array>\n\(Self.session("1"))\(second)\(Self.session("3"))\(Self.session("4"))</array>\n")
        guard case .array(let values) = list else { return _ = Issue.record("\(list)") }
        #expect(values.first == Self.read("1") && values.suffix(2) == [Self.read("3"), Self.read("4")], "\(list)")
        #expect(values.contains { if case .unreadable = $0 { true } else { false } }, "\(list)")
    }

    @Test(
        "An end that is missing or doubled costs nothing, and what stands between and behind dictionaries costs itself",
        arguments: [
            ("1</dict>\n2", 0), ("1</dict>2", 0), ("12</dict>", 0), ("1<<<<<<< HEAD\n2", 1), ("hello12", 1),
            ("1=======\n2>>>>>>> x\n", 2),
            ("1<?x y?>2", 0), ("1<null/>2", 1),
        ])
    func between(content: String, unread: Int) throws {
        let whole = content.replacing("1", with: Self.session("1")).replacing("2", with: Self.session("2"))
        for end in ["</array></plist>", "</plist>", "</array>\n"] {
            let list = try PropertyList(Array("<plist><array>\(whole)\(end)".utf8))
            guard case .array(let values) = list else { return _ = Issue.record("\(list)") }
            let read = values.filter { if case .unreadable = $0 { false } else { true } }
            #expect(read == [Self.read("1"), Self.read("2")] && values.count == 2 + unread, "\(list)")
        }
        let missing = try Self.xml(
            "<array>\(Self.session("1").replacing("</dict>", with: ""))\(Self.session("2").replacing("</dict>", with: ""))</array>"
        )
        #expect(missing == .array([Self.read("1"), Self.read("2")]))
        let more = try PropertyList(Array("<plist><array>\(Self.session("1"))</array></plist>junk<plist>".utf8))
        #expect(more == .array([Self.read("1"), .unreadable(.misplaced)]))
    }

    @Test(
        "Megabytes of damaged tags are read in one pass",
        arguments: [
            "<dict>x", "<dict a=\"", "<dict><!-- ", "<dict><string><![CDATA[", "</dict>x", "<dict></array   ",
            "<dict>&<?", "x</array ",
            "<dict><key>a</key><true>",
        ])
    func longDamage(part: String) {
        let content = Self.session("1") + String(repeating: part, count: 2_000_000 / part.utf8.count)
        _ = Self.failure(Array("<plist><array>\(content)".utf8))
    }

    // CFBinaryPList.c: 0x5n is ASCII, 0x3n but 0x33 no type; 0xC and 0x8 are sets and UIDs.
    @Test(
        "An object of the binary form that cannot be read costs what names it, and no other",
        arguments: [
            [0x51, 0xFC], [0x31, 0x62], [0x00], [0xC1, 1], [0x80, 1], [0x61], [0xA1, 99], [0xA1, 2], [0x71, 0x80],
            [0x5F, 0x10, 0xF0],
            [0x14] + [UInt8](repeating: 0xFF, count: 16), [0xD1, 6, 4],
        ] as [[UInt8]])
    func damagedObject(object: [UInt8]) throws {
        let list = try PropertyList(
            Self.binary([
                [0xA3, 1, 2, 3], [0xD1, 4, 6], [0xD1, 4, 5], [0xD1, 4, 6], [0x51, 0x61], object, [0x10, 7],
            ]))
        guard case .array(let values) = list else { return _ = Issue.record("\(list)") }
        let good = PropertyList.dictionary([.init(key: [0x61], value: .integer(7))])
        #expect(values.count == 3 && values[0] == good && values[2] == good && values[1] != good, "\(list)")
    }

    @Test(
        "1.4 MB of tags inside each other are refused, and cost no stack",
        arguments: [
            ("<plist>", .tag), ("<array>", .tooDeep), ("<dict><key>a</key>", .tooDeep), ("<string>", .tag),
            ("<key>", .tag), ("<plist><array>", .tag),
        ] as [(String, PropertyListError.Kind)])
    func nested(tag: String, kind: PropertyListError.Kind) {
        let count = 1_400_000 / tag.utf8.count
        #expect(Self.failure(Array(("<plist>" + String(repeating: tag, count: count)).utf8)) == kind)
    }

    @Test(
        "Megabytes of what may be there are read in one pass",
        arguments: [
            ("<!-- -->", "<true/>"), ("\n\t ", "<true/>"), ("<array><true/></array>", ""),
            ("<string>&amp;</string>", ""),
            ("<string><![CDATA[]]></string>", ""),
        ])
    func long(part: String, end: String) {
        let content = String(repeating: part, count: 2_000_000 / part.utf8.count) + end
        #expect(Self.failure(Array("<plist><array>\(content)</array></plist>".utf8)) == nil)
    }

    @Test("No more is read than the limits say, and one array less deep is read")
    func limits() throws {
        let limits = PropertyList.Limits(bytes: 200, depth: 2)
        func read(_ content: String) throws(PropertyListError) {
            _ = try PropertyList(Array("<plist>\(content)</plist>".utf8), limits: limits)
        }
        try read("<array><array><true/></array></array>")
        #expect(throws: PropertyListError.self) { try read("<array><array><array/></array></array>") }
        #expect(throws: PropertyListError(.tooLarge, at: 200)) { try read(String(repeating: " ", count: 200)) }
    }

    @Test("Every kind of value of the binary form")
    func binaryValues() throws {
        let objects: [[UInt8]] =
            [
                [0xAF, 0x10, 15, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 13, 15], [0x08], [0x09], [0x10, 200],
                [0x11, 1, 2], [0x13] + [UInt8](repeating: 0xFF, count: 8),
                [0x14] + [UInt8](repeating: 0, count: 15) + [7],
                [0x22, 0x3F, 0xC0, 0, 0], [0x23, 0xC0, 0, 0, 0, 0, 0, 0, 0], [0x33] + [UInt8](repeating: 0, count: 8),
                [0x42, 1, 2], [0x52] + Array("ab".utf8), [0x63, 0, 0xFC, 0xD8, 0x3E, 0xDD, 0x41], [0x61, 0xD8, 0],
                [0x73] + Array("aü".utf8), [0xD1, 11, 14],
            ]
        let shared = Self.text("\u{FFFD}")
        #expect(
            try PropertyList(Self.binary(objects))
                == .array([
                    .boolean(false), .boolean(true), .integer(200), .integer(258), .integer(-1), .integer(7),
                    .real(1.5),
                    .real(-2), .date(.seconds(0)), .data([1, 2]), Self.text("ab"), Self.text("ü🥁"), shared, shared,
                    .dictionary([.init(key: Array("ab".utf8), value: Self.text("aü"))]),
                ]))
    }

    @Test(
        "What is no binary property list is refused, with its kind",
        arguments: [
            ([[0xA1, 0]], .unfolds), ([[0xA1, 1], [0xA1, 0]], .unfolds), ([[0xC1, 1], [0x08]], .archive),
            ([[0x80, 1]], .archive), ([[0x00]], .archive), ([[0x15]], .archive), ([[0x21, 0, 0]], .archive),
            ([[0xD1, 1, 1], [0x08]], .archive), ([[0xA1, 2], [0x08]], .place), ([[0xAF, 0x13] + most], .place),
            ([[0xAF, 0x10]], .place), ([[0xAF, 0x08]], .place), ([[0x5F, 0x13] + most], .place),
            ([[0x6F, 0x10, 0x7F]], .place), ([[0xDF, 0x13] + most], .place), ([[0x13, 1]], .place),
            ([[0x51, 0x80]], .notUTF8), ([[0x71, 0x80]], .notUTF8),
            ([[0x14] + [UInt8](repeating: 0xFF, count: 16)], .number),
        ] as [([[UInt8]], PropertyListError.Kind)])
    func binaryRefused(objects: [[UInt8]], kind: PropertyListError.Kind) {
        #expect(Self.failure(Self.binary(objects)) == kind)
    }

    private static let most: [UInt8] = [0x7F] + [UInt8](repeating: 0xFF, count: 7)

    @Test("A trailer that names what is not there is refused")
    func trailers() {
        let good = Self.binary([[0x08]])
        for (place, value) in [
            (6, 0), (6, 9), (7, 0), (7, 9), (8, 0x80), (15, 0), (15, 9), (23, 1), (31, 0), (31, 200),
        ] {
            var bytes = good
            bytes[bytes.count - 32 + place] = UInt8(value)
            #expect(Self.failure(bytes) == .place, "byte \(place)")
        }
        for end in good.indices { #expect(Self.failure(Array(good[..<end])) != nil) }
    }

    @Test("Objects that lie upon each other do not make more of a file than it has bytes")
    func overlapping() {
        // Eight thousand arrays that share the references behind the last of them; each holds thousands.
        let count = 8_000
        var bytes = Array("bplist00".utf8)
        var offsets: [UInt8] = []
        func bigEndian(_ number: Int, _ width: Int) -> [UInt8] {
            (0..<width).map { UInt8(truncatingIfNeeded: number >> (8 * (width - 1 - $0))) }
        }
        for _ in 0..<count {
            offsets += bigEndian(bytes.count, 4)
            bytes += [0xAF, 0x11] + bigEndian(count, 2)
        }
        for number in 0..<count { bytes += bigEndian((number + 1) % count, 2) }
        let table = bytes.count
        bytes += offsets + [0, 0, 0, 0, 0, 0, 4, 2] + bigEndian(count, 8) + bigEndian(0, 8) + bigEndian(table, 8)
        #expect(Self.failure(bytes) != nil)
    }

    @Test("A small file that unfolds to much is refused, and one that names a text often is read")
    func unfolding() {
        let bomb = Self.binary((1...12).map { [0xA8] + [UInt8](repeating: $0, count: 8) } + [[0x10, 1]])
        #expect(Self.failure(bomb) == .unfolds)
        let often = Self.binary([
            [0xAF, 0x10, 200] + [UInt8](repeating: 1, count: 200), [0x5A] + Array("0123456789".utf8),
        ])
        #expect(Self.failure(often) == nil)
    }

    @Test("Files that were changed at random are read or refused", arguments: UInt64(1)...30)
    func damaged(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let xml = Array(
            (Self.head
                + "<array><dict><key>a</key><date>2016-04-20T15:30:01Z</date></dict><data>QQ==</data></array></plist>")
                .utf8)
        let binary = Self.binary([[0xA3, 1, 2, 3], [0xD1, 2, 4], [0x51, 0x61], [0x62, 0, 65, 0, 66], [0x10, 1]])
        for round in 0..<400 {
            var bytes = round.isMultiple(of: 2) ? xml : binary
            for _ in 0..<Int.random(in: 1...6, using: &random) {
                let place = Int.random(in: 0..<bytes.count, using: &random)
                switch Int.random(in: 0..<3, using: &random) {
                case 0: bytes.remove(at: place)
                case 1: bytes.insert(contentsOf: bytes[0...place], at: place)
                default: bytes[place] = UInt8.random(in: 0...255, using: &random)
                }
            }
            _ = try? PropertyList(bytes)
        }
    }
}
