import Wire

/// What Open Trivia DB (opentdb.com, CC BY-SA 4.0) answers to `api.php`, read from bytes.
public struct OpenTriviaResponse: Equatable, Sendable {
    /// How its texts are written, as the request asked for with `encode`.
    public enum Encoding: UInt8, CaseIterable, Sendable {
        /// HTML character references; what it answers when `encode` is left out.
        case none = 0
        /// `urlLegacy`: percent-encoding with `+` for a space (application/x-www-form-urlencoded).
        case urlLegacy = 1
        /// `url3986`: percent-encoding (RFC 3986, section 2.1).
        case url3986 = 2
        /// `base64` (RFC 4648, section 4).
        case base64 = 3
    }

    /// `response_code`.
    public enum Code: Equatable, Sendable {
        /// 0
        case success
        /// 1: it has not so many questions of this kind; ask for fewer.
        case tooFewQuestions
        /// 2: the request was wrong.
        case invalidParameter
        /// 3: the session token is not known, or older than six hours; ask for another.
        case tokenNotFound
        /// 4: every question of this kind was given out to this token; reset it.
        case tokenExhausted
        /// 5: more than one request in five seconds from this address; wait.
        case rateLimited
        /// Any other, which its documentation does not name.
        case unknown(Int64)

        init(_ number: Int64) {
            switch number {
            case 0: self = .success
            case 1: self = .tooFewQuestions
            case 2: self = .invalidParameter
            case 3: self = .tokenNotFound
            case 4: self = .tokenExhausted
            case 5: self = .rateLimited
            default: self = .unknown(number)
            }
        }
    }

    /// One question with its answers, as UTF-8.
    public struct Question: Equatable, Sendable {
        /// As it names it.
        public var categoryName: [UInt8] = []
        /// What that is here.
        public var category = FactCategory.general
        /// How hard it is.
        public var difficulty = FactDifficulty.easy
        /// Whether it is a statement that is true or false.
        public var isBoolean = false
        /// The question.
        public var question: [UInt8] = []
        /// The right answer.
        public var correctAnswer: [UInt8] = []
        /// The wrong answers.
        public var incorrectAnswers: [[UInt8]] = []
    }

    /// Why a response is no response of Open Trivia DB.
    public enum Fault: Error, Equatable, Sendable {
        /// It is no JSON; the place is in bytes.
        case json(JSONError)
        /// It is JSON, and not an object with `response_code` and `results`.
        case notAResponse
        /// A text of the question at this place, from 0, is not written in the encoding that was asked for.
        case wrongEncoding(question: Int)
        /// The question at this place has no text, no answer or an unknown difficulty.
        case incomplete(question: Int)
        /// More questions than one response may hold.
        case tooMany
    }

    /// The most questions of a response (`amount` is at most 50).
    public static var mostQuestions: Int { 50 }

    /// How the request went.
    public var code: Code
    /// The questions; none unless ``code`` is success.
    public var questions: [Question]

    /// Reads a response.
    public init(_ text: Span<UInt8>, encoding: Encoding) throws(Fault) {
        var parser = OpenTriviaParser(encoding: encoding)
        do throws(JSONError) {
            try parser.read(text)
        } catch {
            throw .json(error)
        }
        if let fault = parser.fault { throw fault }
        guard let code = parser.code else { throw .notAResponse }
        self.code = Code(code)
        questions = self.code == .success ? parser.questions : []
    }
}

/// Walks through the tokens of a response once.
private struct OpenTriviaParser {
    let encoding: OpenTriviaResponse.Encoding
    var code: Int64?
    var questions: [OpenTriviaResponse.Question] = []
    var fault: OpenTriviaResponse.Fault?

    init(encoding: OpenTriviaResponse.Encoding) { self.encoding = encoding }

    mutating func read(_ text: Span<UInt8>) throws(JSONError) {
        var reader = JSONReader(depthLimit: 8)
        guard try reader.next(in: text) == .objectStart else { return refuse(.notAResponse) }
        var hasResults = false
        while case .key(let name) = try reader.next(in: text) {
            let value = try reader.next(in: text)
            let key = text.extracting(name)
            if matches(key, "response_code"), case .number(let range) = value {
                code = integer(text.extracting(range))
            } else if matches(key, "results"), value == .arrayStart {
                hasResults = true
                try readQuestions(&reader, text)
            } else {
                try reader.skipValue(after: value, in: text)
            }
        }
        _ = try reader.next(in: text)
        if code == 0, !hasResults { refuse(.notAResponse) }
    }

    private mutating func refuse(_ reason: OpenTriviaResponse.Fault) { if fault == nil { fault = reason } }

    private mutating func readQuestions(_ reader: inout JSONReader, _ text: Span<UInt8>) throws(JSONError) {
        while true {
            let token = try reader.next(in: text)
            if token == .arrayEnd { return }
            guard token == .objectStart else {
                refuse(.notAResponse)
                try reader.skipValue(after: token, in: text)
                continue
            }
            guard questions.count < OpenTriviaResponse.mostQuestions else {
                refuse(.tooMany)
                try reader.skipValue(after: token, in: text)
                continue
            }
            try readQuestion(&reader, text)
        }
    }

    private mutating func readQuestion(_ reader: inout JSONReader, _ text: Span<UInt8>) throws(JSONError) {
        var question = OpenTriviaResponse.Question()
        var difficulty: FactDifficulty?
        while case .key(let name) = try reader.next(in: text) {
            let key = text.extracting(name)
            let value = try reader.next(in: text)
            if matches(key, "incorrect_answers"), value == .arrayStart {
                while true {
                    let answer = try reader.next(in: text)
                    if answer == .arrayEnd { break }
                    if case .string(let range) = answer { question.incorrectAnswers.append(decoded(range, text)) }
                    try reader.skipValue(after: answer, in: text)
                }
            } else if case .string(let range) = value {
                let content = decoded(range, text)
                if matches(key, "category") {
                    question.categoryName = content
                    question.category = FactCategory(openTriviaName: content.span)
                } else if matches(key, "difficulty") {
                    difficulty = FactDifficulty(openTriviaName: content.span)
                } else if matches(key, "type") {
                    question.isBoolean = matches(content.span, "boolean")
                } else if matches(key, "question") {
                    question.question = content
                } else if matches(key, "correct_answer") {
                    question.correctAnswer = content
                }
            } else {
                try reader.skipValue(after: value, in: text)
            }
        }
        guard let difficulty, !question.question.isEmpty, !question.correctAnswer.isEmpty else {
            return refuse(.incomplete(question: questions.count))
        }
        question.difficulty = difficulty
        questions.append(question)
    }

    private mutating func decoded(_ range: Range<Int>, _ text: Span<UInt8>) -> [UInt8] {
        let raw = JSONReader.unescaped(range, in: text)
        let content: [UInt8]? =
            switch encoding {
            case .none: TextEncoding.characterReferencesDecoded(raw)
            case .urlLegacy: TextEncoding.percentDecoded(raw, plusIsSpace: true)
            case .url3986: TextEncoding.percentDecoded(raw, plusIsSpace: false)
            case .base64: TextEncoding.base64Decoded(raw)
            }
        guard let content, isUTF8(content.span) else {
            refuse(.wrongEncoding(question: questions.count))
            return []
        }
        return content
    }
}
