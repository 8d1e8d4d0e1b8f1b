import Wire

/// A response of Open Trivia DB (opentdb.com, CC BY-SA 4.0) to `api.php`, read from bytes.
public struct OpenTriviaResponse: Equatable, Sendable {
    /// The encoding of the texts, as requested with `encode`.
    public enum Encoding: UInt8, CaseIterable, Sendable {
        /// HTML character references, the default without `encode`.
        case none = 0
        /// The encoding `urlLegacy`: percent-encoding with `+` for a space (application/x-www-form-urlencoded).
        case urlLegacy = 1
        /// The encoding `url3986`: percent-encoding (RFC 3986, section 2.1).
        case url3986 = 2
        /// The encoding `base64` (RFC 4648, section 4).
        case base64 = 3
    }

    /// The `response_code`.
    public enum Code: Equatable, Sendable {
        /// Code 0: success.
        case success
        /// Code 1: there are not so many questions of this kind; request fewer.
        case tooFewQuestions
        /// Code 2: the request was invalid.
        case invalidParameter
        /// Code 3: the session token is unknown, or older than six hours; request another.
        case tokenNotFound
        /// Code 4: every question of this kind was given to this token; reset it.
        case tokenExhausted
        /// Code 5: more than one request in five seconds from this address; wait.
        case rateLimited
        /// Any other code, which the documentation does not mention.
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

    /// A question with its answers, as UTF-8.
    public struct Question: Equatable, Sendable {
        /// The name of the category in Open Trivia DB.
        public var categoryName: [UInt8] = []
        /// The category here.
        public var category = FactCategory.general
        /// The difficulty.
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

    /// The reason why a response cannot be read.
    public enum Fault: Error, Equatable, Sendable {
        /// The response is not JSON; the offset is in bytes.
        case json(JSONError)
        /// The response is JSON, but not an object with `response_code` and `results`.
        case notAResponse
        /// A text of the question with this index does not have the requested encoding.
        case wrongEncoding(question: Int)
        /// The question with this index has no text, no answer or an unknown difficulty.
        case incomplete(question: Int)
        /// More questions than one response may hold.
        case tooMany
    }

    /// The most questions of a response (`amount` is at most 50).
    public static var mostQuestions: Int { 50 }

    /// The code of the response.
    public var code: Code
    /// The questions; none unless ``code`` is success.
    public var questions: [Question]
    /// The indices, in the response, of questions that could not be read beside these.
    public var unread: [Int]

    /// Reads a response. A question that cannot be read costs the others nothing.
    ///
    /// - Throws: the first fault where no question is left, or where it is not a question's.
    public init(_ text: Span<UInt8>, encoding: Encoding) throws(Fault) {
        var parser = OpenTriviaParser(encoding: encoding)
        do throws(JSONError) {
            try parser.read(text)
        } catch {
            throw .json(error)
        }
        if let fault = parser.fault { throw fault }
        if parser.questions.isEmpty, let fault = parser.questionFault { throw fault }
        guard let code = parser.code else { throw .notAResponse }
        self.code = Code(code)
        questions = self.code == .success ? parser.questions : []
        unread = self.code == .success ? parser.unread : []
    }
}

/// A parser that reads the tokens of a response once.
private struct OpenTriviaParser {
    let encoding: OpenTriviaResponse.Encoding
    var code: Int64?
    var questions: [OpenTriviaResponse.Question] = []
    var unread: [Int] = []
    /// The first fault of the whole, and the first of a question.
    var fault: OpenTriviaResponse.Fault?
    var questionFault: OpenTriviaResponse.Fault?
    /// The index of the question that is read, and whether a text of it has another encoding.
    private var index = 0
    private var isOtherwiseEncoded = false

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
            guard index < OpenTriviaResponse.mostQuestions else {
                refuse(.tooMany)
                try reader.skipValue(after: token, in: text)
                continue
            }
            try readQuestion(&reader, text)
            index += 1
        }
    }

    private mutating func leaveOut(_ reason: OpenTriviaResponse.Fault) {
        unread.append(index)
        if questionFault == nil { questionFault = reason }
    }

    private mutating func readQuestion(_ reader: inout JSONReader, _ text: Span<UInt8>) throws(JSONError) {
        var question = OpenTriviaResponse.Question()
        var difficulty: FactDifficulty?
        isOtherwiseEncoded = false
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
        guard !isOtherwiseEncoded else { return leaveOut(.wrongEncoding(question: index)) }
        guard let difficulty, !question.question.isEmpty, !question.correctAnswer.isEmpty else {
            return leaveOut(.incomplete(question: index))
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
            isOtherwiseEncoded = true
            return []
        }
        return content
    }
}
