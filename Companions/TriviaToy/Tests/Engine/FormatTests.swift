import Foundation
import TestInstruments
import Testing
import TriviaToyEngine
import Wire

@Suite("Improv Wi-Fi, the original's socket and bodies, Open Trivia DB")
struct FormatTests {
    @Test("Improv's published vector: a request for the state")
    func improvVector() throws {
        let vector: [UInt8] = [0x49, 0x4D, 0x50, 0x52, 0x4F, 0x56, 0x01, 0x03, 0x02, 0x02, 0x00, 0xE5]
        var bytes: [UInt8] = []
        ImprovPacket.encode(.command, data: ([2, 0] as [UInt8]).span, into: &bytes)
        #expect(bytes == vector + [0x0A])
        let packet = try ImprovPacket(decoding: vector.span)
        #expect(packet.kind == .command)
        let command = ImprovCommand.decoding(vector.span.extracting(packet.data))
        #expect(command == .success(.requestState))
        var wrong = vector
        wrong[11] = 0xE6
        #expect(throws: ImprovPacket.Fault.checksum(expected: 0xE5, found: 0xE6)) {
            try ImprovPacket(decoding: wrong.span)
        }
    }

    @Test(
        "A packet that was torn is not waited for once another is whole",
        arguments: [
            // Its length is 255, 3 and 2; in the middle of the name; two in a row.
            Array("IMPROV".utf8) + [1, 4, 0xFF], Array("IMPROV".utf8) + [1, 4, 3, 1],
            Array("IMPROV".utf8) + [1, 1, 2, 7],
            Array("IMPR".utf8), Array("IMPROV".utf8) + [1, 4, 0xFF] + Array("IMPROV".utf8) + [1, 3, 0xF0, 2],
        ] as [[UInt8]], [1, 3, 64])
    func torn(bytes: [UInt8], piece: Int) {
        var whole: [UInt8] = []
        ImprovPacket.encode(.currentState, data: ([4] as [UInt8]).span, into: &whole)
        ImprovPacket.encode(.result, data: ([1, 0] as [UInt8]).span, into: &whole)
        var reader = ImprovReader()
        var messages: [ImprovReader.Message] = []
        var rest = (bytes + whole)[...]
        while !rest.isEmpty {
            reader.append(Array(rest.prefix(piece)).span)
            rest = rest.dropFirst(piece)
            while let message = reader.next() { messages.append(message) }
        }
        #expect(messages.map(\.kind) == [.currentState, .result] && messages.map(\.data) == [[4], [1, 0]])
    }

    @Test("Improv's Wi-Fi settings take 32 bytes of any value and 63 of password, and no more")
    func improvSettings() throws {
        let ssid = (0..<32).map { UInt8($0 * 8) }
        let password = [UInt8](repeating: 0x3A, count: 63)
        var data: [UInt8] = []
        ImprovCommand.encodeWifiSettings(ssid: ssid.span, password: password.span, into: &data)
        guard case .success(.wifiSettings(let name, let secret)) = ImprovCommand.decoding(data.span) else {
            Issue.record("refused")
            return
        }
        #expect(Array(data[name]) == ssid && Array(data[secret]) == password)
        data = []
        ImprovCommand.encodeWifiSettings(ssid: (ssid + [1]).span, password: password.span, into: &data)
        #expect(ImprovCommand.decoding(data.span) != .success(.requestState))
        guard case .failure(let fault) = ImprovCommand.decoding(data.span) else {
            Issue.record("33 bytes of SSID were taken")
            return
        }
        #expect(fault.error == .invalidPacket)
    }

    @Test("The original's socket splits at the first two colons")
    func provisioning() throws {
        let text = Array("42:House:a:b:c\r\n".utf8)
        let message = try ProvisioningMessage(decoding: text.span)
        #expect(message.user == 42)
        #expect(
            Array(text[message.ssid]) == Array("House".utf8) && Array(text[message.password]) == Array("a:b:c".utf8))
        for (bad, fault) in [
            ("42:House", ProvisioningMessage.Fault.missingColon), ("x:House:p", .badUser),
            ("99999999999:H:p", .badUser),
            ("2147483648:H:p", .badUser), ("0:H:p", .badUser), ("1::p", .badSSID(bytes: 0)),
        ] {
            #expect(throws: fault) { try ProvisioningMessage(decoding: Array(bad.utf8).span) }
        }
        var bytes: [UInt8] = []
        #expect(throws: ProvisioningMessage.Fault.cannotBeSaid) {
            let (ssid, password) = (Array("a:b".utf8), [UInt8]())
            try ProvisioningMessage.encode(user: 1, ssid: ssid.span, password: password.span, into: &bytes)
        }
        let (ssid, password) = (Array("House".utf8), Array("a:b:c".utf8))
        try ProvisioningMessage.encode(user: 42, ssid: ssid.span, password: password.span, into: &bytes)
        #expect(bytes == Array("42:House:a:b:c".utf8))
    }

    @Test("The original's bodies, with both spellings of a vote")
    func legacy() throws {
        let login = try LegacyBody.Credentials(
            Array(#"{"email":"a@b.c","password":"x\"y"}"#.utf8).span, needsUsername: false)
        #expect(login.email == Array("a@b.c".utf8) && login.password == Array("x\"y".utf8))
        #expect(throws: LegacyBody.Fault.missing(.username)) {
            try LegacyBody.Credentials(Array(#"{"email":"a","password":"b"}"#.utf8).span, needsUsername: true)
        }
        for body in [#"{"userVote":-1,"userId":5,"triviaId":7}"#, #"{"vote":"-1","userID":"5","funFactID":"7"}"#] {
            let vote = try LegacyBody.Vote(Array(body.utf8).span)
            #expect(vote.vote == .down && vote.user == 5 && vote.fact == 7)
        }
        #expect(throws: LegacyBody.Fault.badVote) {
            try LegacyBody.Vote(Array(#"{"userVote":7,"userId":5}"#.utf8).span)
        }
        #expect(throws: LegacyBody.Fault.badNumber(.userID)) {
            try LegacyBody.Vote(Array(#"{"userVote":1,"userId":99999999999}"#.utf8).span)
        }
        #expect(throws: LegacyBody.Fault.notAnObject) { try LegacyBody.Vote(Array("[1]".utf8).span) }
        #expect(String(decoding: LegacyBody.signedIn(id: 7), as: UTF8.self) == #"{"id":7}"#)
        let heard = LegacyBody.HeardFact(id: 7, text: Array("a\"b".utf8), upvotes: 2, downvotes: 1, vote: .down)
        #expect(
            String(decoding: LegacyBody.history([heard]), as: UTF8.self)
                == #"{"triviaHistory":[{"trivia":{"id":7,"text":"a\"b","upvotes":2,"downvotes":1},"userVote":-1}]}"#)
        #expect(try LegacyBody.Vote(Array(#"{"userVote":0,"userId":5}"#.utf8).span).vote == FactVote.none)
        let android = Array(#"{"firstName":"Ada","lastName":"Byron","email":"a@b","password":"sesam"}"#.utf8)
        #expect(
            try LegacyBody.Credentials(android.span, needsUsername: true).username == Array("Ada Byron".utf8))
        #expect(LegacyBody.id(path: Array("2147483647".utf8).span) == 2_147_483_647)
        for bad in ["2147483648", "0", "-1", "1;DROP", "", "99999999999999999999"] {
            #expect(LegacyBody.id(path: Array(bad.utf8).span) == nil)
        }
        let body = LegacyBody.fact(Array("He said \"no\\yes\".".utf8).span)
        let answer = Array("HTTP/1.1 200 OK\r\n\r\n".utf8) + body
        let spoken = LegacyBody.spokenPart(ofResponse: answer.span)
        #expect(spoken == 20..<answer.count - 1)
    }

    private static let question =
        #"{"response_code":0,"results":[{"type":"@T","difficulty":"@D","category":"@C","question":"@Q","correct_answer":"@A","incorrect_answers":["@B"]}]}"#

    @Test("Open Trivia DB in its four encodings says the same", arguments: OpenTriviaResponse.Encoding.allCases)
    func openTrivia(encoding: OpenTriviaResponse.Encoding) throws {
        let words: [String] =
            switch encoding {
            case .none:
                [
                    "multiple", "easy", "Science &amp; Nature", "What&#039;s &quot;caf&eacute;&quot;?", "1 &lt; 2",
                    "&#x1F600;",
                ]
            case .urlLegacy:
                ["multiple", "easy", "Science+%26+Nature", "What%27s+%22caf%C3%A9%22%3F", "1+%3C+2", "%F0%9F%98%80"]
            case .url3986:
                [
                    "multiple", "easy", "Science%20%26%20Nature", "What%27s%20%22caf%C3%A9%22%3F", "1%20%3C%202",
                    "%F0%9F%98%80",
                ]
            case .base64:
                [
                    "bXVsdGlwbGU=", "ZWFzeQ==", "U2NpZW5jZSAmIE5hdHVyZQ==", "V2hhdCdzICJjYWbDqSI/", "MSA8IDI=",
                    "8J+YgA==",
                ]
            }
        var text = Self.question
        for (sign, word) in zip(["@T", "@D", "@C", "@Q", "@A", "@B"], words) { text = Self.replacing(sign, word, text) }
        let response = try OpenTriviaResponse(Array(text.utf8).span, encoding: encoding)
        let question = try #require(response.questions.first)
        #expect(response.code == .success)
        #expect(question.category == .science && question.difficulty == .easy)
        #expect(String(decoding: question.question, as: UTF8.self) == "What's \"caf\u{E9}\"?")
        #expect(String(decoding: question.correctAnswer, as: UTF8.self) == "1 < 2")
        #expect(question.incorrectAnswers.map { String(decoding: $0, as: UTF8.self) } == ["\u{1F600}"])
    }

    /// The first occurrence of a sign, which no word holds.
    private static func replacing(_ sign: String, _ word: String, _ text: String) -> String {
        guard let range = text.range(of: sign) else { return text }
        return text.replacingCharacters(in: range, with: word)
    }

    @Test("Its response codes", arguments: 0...6)
    func codes(number: Int) throws {
        let response = try OpenTriviaResponse(
            Array(#"{"response_code":\#(number),"results":[]}"#.utf8).span, encoding: .none)
        let codes: [OpenTriviaResponse.Code] = [
            .success, .tooFewQuestions, .invalidParameter, .tokenNotFound, .tokenExhausted, .rateLimited, .unknown(6),
        ]
        #expect(response.code == codes[number])
    }

    @Test("What is no response, and a wrong encoding, are told apart")
    func faults() {
        func fault(_ text: String, _ encoding: OpenTriviaResponse.Encoding = .none) -> OpenTriviaResponse.Fault? {
            do throws(OpenTriviaResponse.Fault) {
                _ = try OpenTriviaResponse(Array(text.utf8).span, encoding: encoding)
            } catch { return error }
            return nil
        }
        #expect(fault("[]") == .notAResponse)
        #expect(fault("{}") == .notAResponse)
        #expect(fault(#"{"response_code":0}"#) == .notAResponse)
        let replaced = Self.replacing("@Q", "%zz", Self.question)
        #expect(fault(Self.question, .base64) == .wrongEncoding(question: 0))
        #expect(fault(replaced, .url3986) == .wrongEncoding(question: 0))
        #expect(fault(Self.question) == .incomplete(question: 0))
        if case .json = fault("{") {} else { Issue.record("half a text was read") }
    }

    @Test("A question that cannot be read costs the others nothing")
    func oneBadQuestion() throws {
        let good =
            #"{"type":"boolean","difficulty":"easy","category":"Animals","question":"Q","correct_answer":"True"}"#
        for bad in [
            #"{"question":5}"#, #"{"difficulty":null,"question":"Q","correct_answer":"True"}"#, "{}",
            good.replacing("\"Q\"", with: "\"%zz\""),
        ] {
            let text = #"{"response_code":0,"results":[\#(good),\#(bad),\#(good)]}"#
            let response = try OpenTriviaResponse(Array(text.utf8).span, encoding: .url3986)
            #expect(response.questions.count == 2 && response.unread == [1], "\(bad)")
        }
    }

    @Test("Whatever comes, a response or a fault comes out", arguments: UInt64(1)...30)
    func anything(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<100 {
            var bytes = Array(Self.question.utf8)
            for _ in 0..<4 {
                let place = Int.random(in: 0..<bytes.count, using: &random)
                if Bool.random(using: &random) {
                    bytes.remove(at: place)
                } else {
                    bytes[place] = UInt8.random(in: 0...255, using: &random)
                }
            }
            for encoding in OpenTriviaResponse.Encoding.allCases {
                _ = try? OpenTriviaResponse(bytes.span, encoding: encoding)
            }
            _ = try? LegacyBody.Vote(bytes.span)
            _ = try? LegacyBody.Credentials(bytes.span, needsUsername: true)
            _ = TextEncoding.characterReferencesDecoded(bytes)
            _ = TextEncoding.base64Decoded(bytes)
            _ = TextEncoding.percentDecoded(bytes, plusIsSpace: true)
        }
    }
}
