import Testing

@testable import Outbound

@Suite("Replies of an SMTP server")
struct SMTPReplyTests {
    private func replies(_ text: String) throws -> [SMTPReply] {
        var parser = SMTPReplyParser()
        try parser.append(text.utf8)
        var replies: [SMTPReply] = []
        while let reply = try parser.next() { replies.append(reply) }
        return replies
    }

    @Test("RFC 5321, 4.2.1: a reply has one line, or several of which the last has a space behind its code")
    func forms() throws {
        #expect(try replies("250 OK\r\n") == [SMTPReply(code: 250, lines: ["OK"])])
        #expect(
            try replies(
                "250-First line\r\n250-Second line\r\n250-234 Text beginning with numbers\r\n250 The last line\r\n")
                == [
                    SMTPReply(
                        code: 250,
                        lines: ["First line", "Second line", "234 Text beginning with numbers", "The last line"])
                ])
        // 4.2: the code alone is a reply too.
        #expect(try replies("354\r\n") == [SMTPReply(code: 354, lines: [""])])
        #expect(try replies("250-\r\n250 \r\n") == [SMTPReply(code: 250, lines: ["", ""])])
    }

    @Test("It is the same in whatever pieces it comes")
    func pieces() throws {
        var parser = SMTPReplyParser()
        let text = "220-one\r\n220 two\r\n"
        for (index, byte) in text.utf8.enumerated() {
            #expect(try parser.next() == nil)
            try parser.append([byte])
            if index < text.utf8.count - 1 { #expect(parser.hasMore) }
        }
        #expect(try parser.next() == SMTPReply(code: 220, lines: ["one", "two"]))
        #expect(!parser.hasMore)
    }

    @Test("What has come behind a reply, and the beginning of one, are more than was asked for")
    func more() throws {
        var parser = SMTPReplyParser()
        try parser.append("220 go\r\n250 injected\r\n".utf8)
        #expect(try parser.next()?.code == 220)
        #expect(parser.hasMore)
        var begun = SMTPReplyParser()
        try begun.append("220-go\r\n".utf8)
        #expect(try begun.next() == nil)
        #expect(begun.hasMore)
    }

    @Test(
        "What is no reply is said to be none",
        arguments: [
            "HTTP/1.1 400 Bad Request\r\n", "\r\n", "25\r\n", "250_OK\r\n", "2500 OK\r\n", "150 no\r\n", "650 no\r\n",
            "260 no\r\n", "2a0 no\r\n", " 250 OK\r\n", "250 a line feed alone\n", "\n", "250 a return\ralone\r\n",
            // 4.2.1: all lines have the same code.
            "250-one\r\n251 two\r\n",
        ])
    func notUnderstood(text: String) {
        #expect(throws: SMTPReplyParser.Fault.notUnderstood) { try replies(text) }
    }

    @Test("RFC 5321, 4.5.3.1.5: a line of 512 octets is read, and one more is too long, with an end or without")
    func lines() throws {
        let text = String(repeating: "x", count: 512 - 4 - 2)
        #expect(try replies("250 \(text)\r\n").first?.lines == [text])
        #expect(throws: SMTPReplyParser.Fault.tooLong) { try replies("250 \(text)x\r\n") }
        #expect(throws: SMTPReplyParser.Fault.tooLong) { try replies("250 \(text)xx") }
    }

    @Test("A reply of 8 kB is read, one that goes on is too long, and so is whatever comes without being asked for")
    func length() throws {
        let line = "250-" + String(repeating: "x", count: 506) + "\r\n"
        var parser = SMTPReplyParser()
        for _ in 0..<16 {
            try parser.append(line.utf8)
            #expect(try parser.next() == nil)
        }
        #expect(throws: SMTPReplyParser.Fault.tooLong) {
            try parser.append("250 end\r\n".utf8)
            _ = try parser.next()
        }
        var other = SMTPReplyParser()
        #expect(throws: SMTPReplyParser.Fault.tooLong) {
            try other.append(String(repeating: "250 OK\r\n", count: 2_000).utf8)
        }
    }

    @Test("Bytes that are no UTF-8 are text that can be shown")
    func bytes() throws {
        var parser = SMTPReplyParser()
        try parser.append([0x35, 0x35, 0x30, 0x20, 0xFF, 0xFE, 0x0D, 0x0A])
        #expect(try parser.next() == SMTPReply(code: 550, lines: ["\u{FFFD}\u{FFFD}"]))
    }
}
