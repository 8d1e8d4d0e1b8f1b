import Wire

extension FuzzTarget {
    static var wire: [FuzzTarget] {
        [
            FuzzTarget(
                "json",
                dictionary: ["true", "false", "null", "\\\"a\\\":", "\\\\u00e9", "\\\\ud83d\\\\ude00", "[{", "}]"],
                seeds: [#"{"a":[1,-2.5e3,true,null,{"b":"\u00e9\ud83d\ude00 \\ \/ x"}],"":{}}"#, "[]", " 1 ", "\"x\""]
                    .map { Array($0.utf8) }
            ) { bytes throws(BrokenProperty) in try checkJSON(bytes) },
            FuzzTarget(
                "numbers", longestInput: 400, dictionary: ["e+", "e-", "e308", "9007199254740993"],
                seeds: ["-21.50", "6.02e23", ".5", "5.", "1e-320", "123456789012345678901234567890", "-0"]
                    .map { Array($0.utf8) }
            ) { bytes throws(BrokenProperty) in try checkNumbers(bytes) },
            FuzzTarget(
                "unseen-characters",
                dictionary: [
                    "\\\\u202e", "\\\\u0000", "\\\\u061C", "\\\\b", "\\xe2\\x80\\xae", "\\xd8\\x9c", "\\xc2\\x85",
                    "password",
                ],
                seeds: [
                    #"{"name":"Mi\u0000la","b":["\u202ex","\ud83d\ude00"],"password":"\u0007"}"#,
                    "{\"a\":\"\u{202E}x\u{85}\"}",
                ].map { Array($0.utf8) }
            ) { bytes throws(BrokenProperty) in try checkUnseen(bytes) },
        ]
    }

    /// A token by what it says, wherever it stands.
    private enum Word: Equatable {
        case mark(Character)
        case key([UInt8])
        case string([UInt8])
        case number([UInt8])
    }

    private static func words(_ text: [UInt8], depthLimit: Int) -> [Word]? {
        var reader = JSONReader(depthLimit: depthLimit)
        var words: [Word] = []
        while let token = try? reader.next(in: text.span) {
            switch token {
            case .objectStart: words.append(.mark("{"))
            case .objectEnd: words.append(.mark("}"))
            case .arrayStart: words.append(.mark("["))
            case .arrayEnd: words.append(.mark("]"))
            case .bool(let value): words.append(.mark(value ? "t" : "f"))
            case .null: words.append(.mark("n"))
            case .key(let range): words.append(.key(JSONReader.unescaped(range, in: text.span)))
            case .string(let range): words.append(.string(JSONReader.unescaped(range, in: text.span)))
            case .number(let range): words.append(.number(Array(text[range])))
            case .end: return words
            }
        }
        return nil
    }

    private static func written(_ words: [Word]) -> [UInt8] {
        var text = TextWriter()
        var needsComma = false
        for word in words {
            if needsComma, word != .mark("}"), word != .mark("]") { text.write(",") }
            needsComma = true
            switch word {
            case .mark("t"): text.write("true")
            case .mark("f"): text.write("false")
            case .mark("n"): text.write("null")
            case .mark(let mark):
                text.write(byte: mark.asciiValue ?? 0)
                needsComma = mark == "}" || mark == "]"
            case .key(let bytes):
                text.write(jsonString: bytes.span, asciiOnly: bytes.count % 2 == 0)
                text.write(":")
                needsComma = false
            case .string(let bytes): text.write(jsonString: bytes.span, asciiOnly: bytes.count % 2 == 0)
            case .number(let bytes): for byte in bytes { text.write(byte: byte) }
            }
        }
        return text.bytes
    }

    /// JSON stays JSON of the same form, none becomes some, and no string but a password has anything unseen in it.
    private static func checkUnseen(_ text: [UInt8]) throws(BrokenProperty) {
        let (before, cleaned) = (words(text, depthLimit: 16), UnseenCharacters.removed(fromJSON: text))
        try require(cleaned.count <= text.count, "nothing is added")
        let after = words(cleaned, depthLimit: 16)
        try require(before?.count == after?.count, "JSON stays what it is")
        var isSecret = false
        for word in after ?? [] {
            switch word {
            case .key(let name):
                isSecret = String(decoding: name, as: UTF8.self).lowercased().contains("password")
                try require(UnseenCharacters.removed(from: name) == name, "a name has nothing unseen")
            case .string(let value) where !isSecret:
                try require(UnseenCharacters.removed(from: value) == value, "a string has nothing unseen")
            default: isSecret = false
            }
        }
        let plain = UnseenCharacters.removed(from: text)
        try require(!isUTF8(text.span) || UnseenCharacters.removed(from: plain) == plain, "nothing is left in a text")
    }

    /// What is read is read again as it was written, and to pass over a value is to read it.
    private static func checkJSON(_ text: [UInt8]) throws(BrokenProperty) {
        let found = words(text, depthLimit: 16)
        var reader = JSONReader(depthLimit: 16)
        var isPassed = false
        do throws(JSONError) {
            let first = try reader.next(in: text.span)
            try reader.skipValue(after: first, in: text.span)
            isPassed = try reader.next(in: text.span) == .end
        } catch {
            try require((0...text.count).contains(error.offset), "an error lies in the text: \(error.offset)")
        }
        try require(isPassed == (found != nil), "a value is passed over where it is read, and only there")
        guard let found else { return }
        for case .string(let bytes) in found {
            try require(isUTF8(bytes.span), "a string is UTF-8 when it is unescaped")
        }
        for case .number(let bytes) in found {
            try require(
                bytes.count > 300 || decimal(bytes.span) != nil || bytes.contains(0x65) || bytes.contains(0x45),
                "a number of JSON is a decimal")
        }
        try require(words(written(found), depthLimit: 16) == found, "what was written is read as it was")
    }

    /// Our numbers are those of the standard library, which reads more forms, and rounds each number exactly.
    private static func checkNumbers(_ text: [UInt8]) throws(BrokenProperty) {
        let string = String(decoding: text, as: UTF8.self)
        if let ours = decimal(text.span) {
            try require(ours.isFinite, "a decimal is finite")
            if let theirs = Double(string) {
                let digits = text.prefix { $0 | 0x20 != 0x65 }.filter { (0x30...0x39).contains($0) }.drop { $0 == 0x30 }
                let isShort = digits.count <= 15 && (1e-5...1e5).contains(abs(theirs))
                let tolerance = isShort ? 0 : abs(theirs) * 1e-14 + 20 * Double.leastNonzeroMagnitude
                try require(theirs.isInfinite ? ours > 1e308 : abs(ours - theirs) <= tolerance, "\(ours) is \(theirs)")
            }
        }
        if let ours = integer(text.span) {
            if let theirs = Int64(string) { try require(ours == theirs, "\(ours) is \(theirs)") }
        } else {
            try require(Int64(string) == nil || text.isEmpty, "\(string) is a whole number")
        }
        if let cents = fixedPoint(text.span, places: 2), let value = decimal(text.span) {
            try require(
                abs(Double(cents) - value * 100) <= abs(value) * 1e-12 + 1e-9, "\(cents) hundredths are \(value)")
        }
    }
}
