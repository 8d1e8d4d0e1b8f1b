import Wire

/// The bodies of the original's HTTP API, read leniently and written as the original wrote them.
public enum LegacyBody {
    /// The reason why a body is refused, which the original's app showed in an alert.
    public enum Fault: Error, Equatable, Sendable {
        /// The body is not a JSON object.
        case notAnObject
        /// A field is missing, of another type, or empty.
        case missing(Field)
        /// A vote that is neither 1, nor -1, nor 0.
        case badVote
        /// A number that is not an id.
        case badNumber(Field)
        /// A text longer than ``LegacyBody/longestField``.
        case tooLong(Field)
    }

    /// The fields of all bodies.
    public enum Field: UInt8, Sendable {
        case username, firstName, lastName, email, password, userVote, userID, triviaID
    }

    /// The longest text of a field, bytes.
    public static var longestField: Int { 256 }

    /// The body of `POST /User/Register` and `POST /User/Login`.
    public struct Credentials: Equatable, Sendable {
        /// The user name, or where there is none the first and the last name; empty at a sign-in.
        public var username: [UInt8] = []
        /// The e-mail address.
        public var email: [UInt8] = []
        /// The password.
        public var password: [UInt8] = []

        /// Reads a body. The original's key of the user name is unknown: `username`, `userName`, `UserName` and `name`
        /// are accepted, and `firstName` and `lastName`, which the Android app sends in its place.
        public init(_ text: Span<UInt8>, needsUsername: Bool) throws(Fault) {
            let fields = try LegacyFields(text)
            username = try fields.text(.username, isNeeded: false)
            if username.isEmpty {
                username = try fields.text(.firstName, isNeeded: false)
                let last = try fields.text(.lastName, isNeeded: false)
                if !username.isEmpty, !last.isEmpty { username.append(UInt8(ascii: " ")) }
                username += last
            }
            guard !username.isEmpty || !needsUsername else { throw .missing(.username) }
            guard username.count <= LegacyBody.longestField else { throw .tooLong(.username) }
            email = try fields.text(.email, isNeeded: true)
            password = try fields.text(.password, isNeeded: true)
        }
    }

    /// The body of `PUT` and `POST /Trivia/Vote/{id}`.
    public struct Vote: Equatable, Sendable {
        /// The vote: up, down, or none, which takes it back.
        public var vote: FactVote
        /// The original's number of the user.
        public var user: UInt32
        /// The fact; nil if it is in the path only.
        public var fact: UInt32?

        /// Reads a body. `userVote` or `vote`, `userId` or `userID`, `triviaId`, `triviaID` or `funFactID` are
        /// accepted, as numbers or as texts of digits.
        public init(_ text: Span<UInt8>) throws(Fault) {
            let fields = try LegacyFields(text)
            guard let value = fields.vote else { throw .missing(.userVote) }
            guard let vote = Int8(exactly: value).flatMap({ FactVote(rawValue: $0) }) else {
                throw .badVote
            }
            self.vote = vote
            guard let user = fields.user else { throw .missing(.userID) }
            guard let user = LegacyBody.id(user) else { throw .badNumber(.userID) }
            self.user = user
            if let number = fields.fact {
                guard let id = LegacyBody.id(number) else { throw .badNumber(.triviaID) }
                fact = id
            }
        }
    }

    /// A number of the original's API, 1...2147483647; nil if it is outside.
    public static func id(_ number: Int64) -> UInt32? { (1...Int64(Int32.max)).contains(number) ? UInt32(number) : nil }

    /// A number in a path, of ASCII digits only; nil if it is invalid.
    public static func id(path text: Span<UInt8>) -> UInt32? {
        guard (1...10).contains(text.count) else { return nil }
        for index in 0..<text.count where !(0x30...0x39).contains(text[index]) { return nil }
        return integer(text).flatMap { id($0) }
    }

    /// The response `{"id":7}` to a successful sign-in.
    public static func signedIn(id: UInt32) -> [UInt8] {
        var writer = TextWriter()
        writer.write("{\"id\":")
        writer.write(Int64(id))
        writer.write("}")
        return writer.bytes
    }

    /// The response `{"message":"..."}`, which the app shows in an alert.
    public static func message(_ words: Span<UInt8>) -> [UInt8] {
        var writer = TextWriter()
        writer.write("{\"message\":")
        writer.write(jsonString: words)
        writer.write("}")
        return writer.bytes
    }

    /// A fact that was heard, as the apps show it.
    public struct HeardFact: Sendable {
        /// The fact's number.
        public var id: UInt32
        /// The text, UTF-8.
        public var text: [UInt8]
        /// The number of votes for it and against it.
        public var upvotes, downvotes: Int64
        /// The user's own vote.
        public var vote: FactVote

        /// Creates an entry of a history.
        public init(id: UInt32, text: [UInt8], upvotes: Int64, downvotes: Int64, vote: FactVote) {
            self.id = id
            self.text = text
            self.upvotes = upvotes
            self.downvotes = downvotes
            self.vote = vote
        }
    }

    /// The response `{"triviaHistory":[{"trivia":{"id":7,"text":"...","upvotes":1,"downvotes":0},"userVote":1},...]}`. The
    /// Android app shows nothing of a history in which one entry has no `userVote`.
    public static func history(_ facts: [HeardFact]) -> [UInt8] {
        var writer = TextWriter()
        writer.write("{\"triviaHistory\":[")
        for (index, fact) in facts.enumerated() {
            if index > 0 { writer.write(",") }
            writer.write("{\"trivia\":{\"id\":")
            writer.write(Int64(fact.id))
            writer.write(",\"text\":")
            writer.write(jsonString: fact.text.span)
            writer.write(",\"upvotes\":")
            writer.write(fact.upvotes)
            writer.write(",\"downvotes\":")
            writer.write(fact.downvotes)
            writer.write("},\"userVote\":")
            writer.write(Int64(fact.vote.rawValue))
            writer.write("}")
        }
        writer.write("]}")
        return writer.bytes
    }

    /// The response of `GET /Trivia/{userID}`: a JSON string, of which the original toy speaks the part between the
    /// first two double quotes of the whole response. Nothing in it is escaped: straight double quotes become
    /// typographic ones, backslashes slashes, and control characters spaces.
    public static func fact(_ text: Span<UInt8>) -> [UInt8] {
        var writer = TextWriter()
        writer.write("\"")
        var isOpen = false
        for index in 0..<text.count {
            switch text[index] {
            case UInt8(ascii: "\""):
                writer.write(scalar: isOpen ? 0x201D : 0x201C)
                isOpen.toggle()
            case UInt8(ascii: "\\"): writer.write("/")
            case 0..<0x20, 0x7F: writer.write(" ")
            default: writer.write(byte: text[index])
            }
        }
        writer.write("\"")
        return writer.bytes
    }

    /// The part of a response that the original toy speaks: between its first two double quotes.
    public static func spokenPart(ofResponse response: Span<UInt8>) -> Range<Int>? {
        var start: Int?
        for index in 0..<response.count where response[index] == UInt8(ascii: "\"") {
            guard let begin = start else {
                start = index + 1
                continue
            }
            return begin..<index
        }
        return nil
    }
}

/// The fields of a body by their known names; if one occurs twice, the last one counts.
private struct LegacyFields {
    private var texts: [(field: LegacyBody.Field, bytes: [UInt8])] = []
    var vote: Int64?
    var user: Int64?
    var fact: Int64?

    init(_ text: Span<UInt8>) throws(LegacyBody.Fault) {
        do throws(JSONError) {
            var reader = JSONReader(depthLimit: 8, sizeLimit: 16_384)
            guard try reader.next(in: text) == .objectStart else { throw JSONError(.unexpectedByte, at: 0) }
            while case .key(let name) = try reader.next(in: text) {
                let value = try reader.next(in: text)
                take(JSONReader.unescaped(name, in: text), value, text)
                try reader.skipValue(after: value, in: text)
            }
            _ = try reader.next(in: text)
        } catch {
            throw .notAnObject
        }
    }

    private mutating func take(_ key: [UInt8], _ value: JSONReader.Token, _ text: Span<UInt8>) {
        guard let field = Self.field(key.span) else { return }
        var content: [UInt8]
        switch value {
        case .string(let range): content = JSONReader.unescaped(range, in: text)
        case .number(let range):
            content = []
            for index in range { content.append(text[index]) }
        default: return
        }
        switch field {
        case .userVote: vote = integer(content.span)
        case .userID: user = integer(content.span)
        case .triviaID: fact = integer(content.span)
        default: texts.append((field, content))
        }
    }

    private static func field(_ key: Span<UInt8>) -> LegacyBody.Field? {
        for (name, field) in names where matches(key, name) { return field }
        return nil
    }

    private static var names: [(StaticString, LegacyBody.Field)] {
        [
            ("username", .username), ("userName", .username), ("UserName", .username), ("name", .username),
            ("firstName", .firstName), ("lastName", .lastName),
            ("email", .email), ("Email", .email), ("password", .password), ("Password", .password),
            ("userVote", .userVote), ("vote", .userVote), ("userId", .userID), ("userID", .userID),
            ("triviaId", .triviaID), ("triviaID", .triviaID), ("funFactID", .triviaID),
        ]
    }

    func text(_ field: LegacyBody.Field, isNeeded: Bool) throws(LegacyBody.Fault) -> [UInt8] {
        let found = texts.last { $0.field == field }?.bytes ?? []
        guard !found.isEmpty || !isNeeded else { throw .missing(field) }
        guard found.count <= LegacyBody.longestField else { throw .tooLong(field) }
        return found
    }
}
