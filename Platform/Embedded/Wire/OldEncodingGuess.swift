extension OldEncoding {
    /// The encoding of a text that does not say it and is not UTF-8, by its words.
    ///
    /// A word with letters beyond ASCII is explained by an encoding if all of them are then of one language's alphabet, its
    /// capitals stand before small letters, and no sign stands within it: `Støížovì` is of no language, and `Střížově` is Czech.
    /// The encoding that explains most words, less those that it does not, is taken. Of two that explain as much it is:
    /// - the first of Western Europe's (``latin(_:tie:)``), which a text stays in where nothing fits better;
    /// - or Cyrillic, where more letters are beyond ASCII than of it, and none in Latin letters if that explains all;
    /// - of those without Latin letters the one by which more of them are among the most frequent ones of Russian or Greek.
    ///
    /// The first thousands of such words are looked at.
    ///
    /// - Parameter tie: what could be DOS's as well as the Macintosh's.
    public static func likeliest(_ text: Span<UInt8>, tie: OldEncoding) -> OldEncoding {
        var best = isMostlyBeyondASCII(text) ? cyrillic(text) : latin(text, tie: tie)
        let letters = EncodingGuess.letters
        var isThere = [Bool](repeating: false, count: 256)
        for index in 0..<text.count { isThere[Int(text[index])] = true }
        var most = EncodingGuess(best, letters, isThere).score(text)
        if best.isLatin, most.isAll { return best }
        // Others in Latin letters come last where they are less likely.
        let latin = candidates.filter { $0.isLatin }
        let others = candidates.filter { !$0.isLatin }
        for other in best.isLatin ? latin + others : others + latin where other != best {
            if other.isLatin, !best.isLatin, most.isAll { continue }
            let score = EncodingGuess(other, letters, isThere).score(text)
            let isCommoner = !best.isLatin && !other.isLatin && score.common > most.common
            let isMore = score.words > most.words && !most.isAll
            if isMore || score.words == most.words && isCommoner { (best, most) = (other, score) }
        }
        return best
    }

    private static var candidates: [OldEncoding] {
        [
            .windows1252, .windows1250, .windows1254, .windows1257, .latin2, .dos852, .windows1251, .koi8R, .dos866,
            .windows1253,
        ]
    }

    private var isLatin: Bool {
        switch self {
        case .windows1251, .koi8R, .dos866, .windows1253: false
        default: true
        }
    }

    /// Whether more letters beyond ASCII than of it are in a text. Where DOS has signs for frames no encoding has small
    /// letters, and quotation marks of Windows lie below 0xA0.
    private static func isMostlyBeyondASCII(_ text: Span<UInt8>) -> Bool {
        var (beyond, letters) = (0, 0)
        for index in 0..<text.count {
            let byte = text[index]
            if byte >= 0xC0 || (0xA0...0xAF).contains(byte) { beyond += 1 }
            if (byte | 0x20) &- UInt8(ascii: "a") < 26 { letters += 1 }
        }
        return beyond > 1 && beyond > letters
    }

    /// The encoding of Cyrillic text: of DOS where most lie below 0xB0, of Unix where a word's first letter is a capital by
    /// that, else of Windows. Capitals and small letters lie apart in each, and the other way round in KOI8-R.
    private static func cyrillic(_ text: Span<UInt8>) -> OldEncoding {
        var (low, high) = (0, 0)
        var isUnix = false
        for place in 0..<text.count {
            let byte = text[place]
            if (0x80...0xAF).contains(byte) { low += 1 }
            if (0xC0...0xDF).contains(byte) || byte >= 0xF2 { high += 1 }
            let isFirst = place == 0 || text[place - 1] < 0x41
            if isFirst, byte >= 0xE0, place + 1 < text.count, (0xC0...0xDF).contains(text[place + 1]) { isUnix = true }
        }
        if low > high { return .dos866 }
        return isUnix ? .koi8R : .windows1251
    }
}

/// The reading of a text's words in an encoding.
private struct EncodingGuess {
    /// A byte as the encoding has it.
    private struct Kind {
        /// The languages that have the letter, a bit each; none for what is no letter.
        var languages: UInt32 = 0
        var isCapital = false
        /// Whether it is among the most frequent letters of a language that is not written in Latin ones.
        var isCommon = false
        /// Whether it is a mark between words, and one that may stand between two without a space.
        var (isMark, isJoint) = (false, false)
        /// Whether it may stand before a word, or behind one.
        var (mayLead, mayTrail) = (false, false)
        /// Whether it is a letter of the word's end alone.
        var isFinal = false
    }

    /// The words that an encoding explains.
    struct Score {
        /// The words that are, less those that are not.
        var words = 0
        /// The letters of them that are among the most frequent.
        var common = 0
        /// Whether all words are.
        var isAll = true
    }

    private static let mostWords = 4_000
    private var kinds: [Kind] = []

    /// Reads each byte in an encoding.
    ///
    /// - Parameter isThere: of each byte whether the text has it.
    init(_ encoding: OldEncoding, _ letters: [Letter], _ isThere: [Bool]) {
        for byte in UInt8(0)...UInt8.max {
            kinds.append(isThere[Int(byte)] ? Self.kind(encoding.scalar(byte), byte, letters) : Kind())
        }
    }

    func score(_ text: Span<UInt8>) -> Score {
        var score = Score()
        var words = 0
        var place = 0
        while place < text.count, words < Self.mostWords {
            guard isOfWord(text[place]) else {
                place += 1
                continue
            }
            let start = place
            var isBeyond = false
            while place < text.count, isOfWord(text[place]) {
                if text[place] >= 0x80 { isBeyond = true }
                place += 1
            }
            // `ą»astné`: no space, and no word either.
            if place + 1 < text.count, text[place] >= 0x80, !kinds[Int(text[place])].isJoint, isOfWord(text[place + 1])
            {
                // Its two halves may each be some word.
                score.words -= 2
                score.isAll = false
            }
            guard isBeyond else { continue }
            words += 1
            add(text.extracting(start..<place), to: &score)
        }
        return score
    }

    private func isOfWord(_ byte: UInt8) -> Bool {
        byte >= 0x80 ? !kinds[Int(byte)].isMark : kinds[Int(byte)].languages != 0
    }

    private func add(_ word: Span<UInt8>, to score: inout Score) {
        var (start, end) = (0, word.count)
        while start < end, kinds[Int(word[start])].mayLead { start += 1 }
        while end > start, kinds[Int(word[end - 1])].mayTrail { end -= 1 }
        var languages = ~UInt32(0)
        var common = 0
        var isBeyond = false
        var wasSmall = false
        for place in start..<end {
            let kind = kinds[Int(word[place])]
            languages &= kind.languages
            if word[place] >= 0x80 { isBeyond = true }
            if kind.isCommon { common += 1 }
            let isMixed = wasSmall && kind.isCapital && (word[place] >= 0x80 || word[place - 1] >= 0x80)
            if isMixed || kind.isFinal && place + 1 < end { languages = 0 }
            wasSmall = !kind.isCapital
        }
        // Signs alone tell nothing.
        guard isBeyond else { return }
        score.words += languages == 0 ? -1 : 1
        if languages == 0 { score.isAll = false }
        if languages != 0 { score.common += common }
    }

    private static func kind(_ scalar: UInt32, _ byte: UInt8, _ letters: [Letter]) -> Kind {
        var kind = Kind()
        if byte < 0x80 {
            if (byte | 0x20) &- UInt8(ascii: "a") < 26 {
                kind.languages = (1 << UInt32(alphabets.count)) - 1
                kind.isCapital = byte & 0x20 == 0
            }
            return kind
        }
        let small = smallLetter(scalar)
        kind.isCapital = small != scalar
        if let letter = letters.first(where: { $0.scalar == small }) {
            (kind.languages, kind.isCommon) = (letter.languages, letter.isCommon)
        }
        kind.isFinal = scalar == 0x3C2
        guard kind.languages == 0 else { return kind }
        switch scalar {
        // No-break space, guillemets, the marks of Spanish, dots, dashes, quotation marks, bullets.
        case 0xA0, 0xA1, 0xAB, 0xAD, 0xB4, 0xB7, 0xBB, 0xBF, 0x2013...0x2022, 0x2026, 0x2039, 0x203A:
            kind.isMark = true
            // Spaces, hyphens, apostrophes, dashes and dots.
            switch scalar {
            case 0xA0, 0xAD, 0xB4, 0xB7, 0x2013, 0x2014, 0x2018, 0x2019, 0x2026: kind.isJoint = true
            default: break
            }
        // °C, µm, §, ©.
        case 0xB0, 0xB5, 0xA7, 0xA9, 0x3BC: (kind.mayLead, kind.mayTrail) = (true, true)
        case 0xB2, 0xB3, 0xB9, 0xAE, 0xAA, 0xBA, 0xBC...0xBE, 0x2122, 0x20AC, 0x2030: kind.mayTrail = true
        default: break
        }
        return kind
    }

    /// The letters beyond ASCII of each language in Latin letters: its alphabet, and what is usual of loanwords. What is rare is
    /// left out (û in Turkish, ô in Norwegian), for the more letters a language has, the more texts of others are its own.
    private static var alphabets: [StaticString] {
        [
            // German, French, Spanish, Portuguese, Italian, Catalan, Dutch.
            "äöüßé", "àâæçéèêëîïôœùûüÿ", "áéíñóúü", "áâãàçéêíóôõúü", "àèéìíòóùú", "àçéèíïóòúü", "áéëèïíóöúü",
            // Danish and Norwegian, Swedish, Finnish and Estonian, Icelandic.
            "æøåéü", "åäöéàü", "äöåõüšž", "áðéíóúýþæö",
            // Polish, Czech, Slovak, Hungarian, Romanian in both spellings, the South Slavic ones, Albanian.
            "ąćęłńóśźż", "áčďéěíňóřšťúůýž", "áäčďéíĺľňóôŕšťúýž", "áéíóöőúüű", "ăâîşţșț", "čćđšž", "ëç",
            // Turkish, Lithuanian, Latvian.
            "çğıöşü", "ąčęėįšųūž", "āčēģīķļņōŗšūž",
        ]
    }
    private static var cyrillic: StaticString { "абвгдеёжзийклмнопрстуфхцчшщъыьэюяіїєґўјљњћђџ" }
    private static var greek: StaticString { "αβγδεζηθικλμνξοπρσςτυφχψωάέήίόύώϊϋΐΰ" }

    /// A letter with the languages that have it, a bit each.
    struct Letter: Sendable {
        let scalar: UInt32
        var languages: UInt32 = 0
        var isCommon = false
    }

    /// The letters of all alphabets.
    static let letters = Self.allLetters()

    private static func allLetters() -> [Letter] {
        var letters: [Letter] = []
        for (bit, alphabet) in (alphabets + [cyrillic, greek]).enumerated() {
            each(of: alphabet) { scalar in
                if let place = letters.firstIndex(where: { $0.scalar == scalar }) {
                    letters[place].languages |= 1 << UInt32(bit)
                } else {
                    letters.append(Letter(scalar: scalar, languages: 1 << UInt32(bit)))
                }
            }
        }
        each(of: "оеаинтαοιετσ") { scalar in
            for place in letters.indices where letters[place].scalar == scalar { letters[place].isCommon = true }
        }
        return letters
    }

    private static func each(of alphabet: StaticString, _ body: (UInt32) -> Void) {
        var text: [UInt8] = []
        alphabet.withUTF8Buffer { for byte in $0 { text.append(byte) } }
        var place = 0
        while place < text.count {
            let (scalar, length) = decodedScalar(text.span, at: place)
            body(scalar)
            place += max(length, 1)
        }
    }

    /// The small letter of a capital of these alphabets (UnicodeData.txt), and another as it is.
    private static func smallLetter(_ scalar: UInt32) -> UInt32 {
        switch scalar {
        case 0xD7: scalar
        case 0xC0...0xDE, 0x391...0x3A9, 0x410...0x42F: scalar + 0x20
        // İ as ı, which only the same language has: its own small letter is ASCII's.
        case 0x130: 0x131
        case 0x178: 0xFF
        case 0x100...0x12F, 0x132...0x137, 0x14A...0x177, 0x218...0x21B: scalar | 1
        case 0x139...0x148, 0x179...0x17E: scalar & 1 == 1 ? scalar + 1 : scalar
        case 0x386: 0x3AC
        case 0x388...0x38A: scalar + 0x25
        case 0x38C: 0x3CC
        case 0x38E, 0x38F: scalar + 0x3F
        case 0x3AA, 0x3AB: scalar + 0x20
        case 0x400...0x40F: scalar + 0x50
        case 0x490: 0x491
        default: scalar
        }
    }
}
