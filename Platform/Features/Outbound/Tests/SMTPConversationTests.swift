import Testing

@testable import Outbound

@Suite("A conversation with an SMTP server")
struct SMTPConversationTests {
    private let envelope = SMTPConversation.Envelope(
        sender: MailAddress("tandem@linden.example")!, recipient: MailAddress("ines@linden.example")!,
        content: Array("Subject: x\r\n\r\n.hidden\r\n".utf8))

    private func conversation(isStarttls: Bool = false, hasEnvelope: Bool = true) -> SMTPConversation {
        SMTPConversation(
            isStarttls: isStarttls, user: "tim", password: "tanstaaftanstaaf",
            envelope: hasEnvelope ? envelope : nil)
    }

    private func said(_ action: SMTPConversation.Action) -> String {
        switch action {
        case .send(let bytes), .finish(let bytes): String(decoding: bytes, as: UTF8.self)
        case .startTLS: "TLS"
        case .fail(let fault): "\(fault)"
        }
    }

    private func reply(_ text: String) -> SMTPReply {
        let lines = text.split(separator: "\n").map(String.init)
        return SMTPReply(code: Int(lines[0].prefix(3))!, lines: lines.map { String($0.dropFirst(4)) })
    }

    @Test("RFC 5321, D.1, and RFC 4616, 4: it signs in, hands the message over and leaves")
    func usual() {
        var talk = conversation()
        #expect(said(talk.receive(reply("220 mail.example ESMTP"))) == "EHLO [127.0.0.1]\r\n")
        #expect(
            said(talk.receive(reply("250-mail.example\n250-8BITMIME\n250 AUTH LOGIN PLAIN")))
                == "AUTH PLAIN AHRpbQB0YW5zdGFhZnRhbnN0YWFm\r\n")
        #expect(said(talk.receive(reply("235 2.7.0 OK"))) == "MAIL FROM:<tandem@linden.example>\r\n")
        #expect(said(talk.receive(reply("250 OK"))) == "RCPT TO:<ines@linden.example>\r\n")
        #expect(said(talk.receive(reply("250 OK"))) == "DATA\r\n")
        #expect(
            said(talk.receive(reply("354 Start mail input; end with <CRLF>.<CRLF>")))
                == "Subject: x\r\n\r\n..hidden\r\n.\r\n")
        let end = talk.receive(reply("250 OK"))
        #expect(end == .finish(Array("QUIT\r\n".utf8)))
    }

    @Test(
        "RFC 3207, 4: TLS begins before anything is said of who it is, and what was offered before counts for nothing")
    func starttls() {
        var talk = conversation(isStarttls: true)
        _ = talk.receive(reply("220 mail.example"))
        #expect(said(talk.receive(reply("250-mail.example\n250-AUTH PLAIN\n250 starttls"))) == "STARTTLS\r\n")
        #expect(talk.receive(reply("220 Go ahead")) == .startTLS)
        #expect(said(talk.secured()) == "EHLO [127.0.0.1]\r\n")
        #expect(said(talk.receive(reply("250-mail.example\n250 AUTH LOGIN"))) == "AUTH LOGIN\r\n")
    }

    @Test(
        "A server without STARTTLS is told no password",
        arguments: ["250 mail.example", "250-mail.example\n250 AUTH PLAIN"])
    func noTLS(text: String) {
        var talk = conversation(isStarttls: true)
        _ = talk.receive(reply("220 mail.example"))
        #expect(talk.receive(reply(text)) == .fail(.noTLS))
    }

    @Test("A server whose TLS is away for now is asked again, and one that refuses it is not")
    func tlsRefused() {
        for (text, isLater) in [("454 TLS not available", true), ("501 Syntax error", false)] {
            var talk = conversation(isStarttls: true)
            _ = talk.receive(reply("220 mail.example"))
            _ = talk.receive(reply("250-mail.example\n250 STARTTLS"))
            #expect(talk.receive(reply(text)) == .fail(isLater ? .notNow(reply(text)) : .noTLS))
        }
    }

    @Test("A reply during the handshake, and a handshake that nobody asked for, end it")
    func outOfTurn() {
        var talk = conversation(isStarttls: true)
        _ = talk.receive(reply("220 mail.example"))
        _ = talk.receive(reply("250-mail.example\n250 STARTTLS"))
        _ = talk.receive(reply("220 Go ahead"))
        #expect(talk.receive(reply("250 OK")) == .fail(.notUnderstood))
        var other = conversation()
        #expect(other.secured() == .fail(.notUnderstood))
    }

    @Test("LOGIN asks for the name and then for the password")
    func login() {
        var talk = conversation(hasEnvelope: false)
        _ = talk.receive(reply("220 mail.example"))
        #expect(said(talk.receive(reply("250-mail.example\n250 AUTH LOGIN"))) == "AUTH LOGIN\r\n")
        #expect(said(talk.receive(reply("334 VXNlcm5hbWU6"))) == "dGlt\r\n")
        #expect(said(talk.receive(reply("334 UGFzc3dvcmQ6"))) == "dGFuc3RhYWZ0YW5zdGFhZg==\r\n")
        // A check signs in and leaves.
        #expect(said(talk.receive(reply("235 OK"))) == "QUIT\r\n")
    }

    @Test("Without a way to sign in that it knows, it leaves")
    func noSignIn() {
        for text in ["250 mail.example", "250-mail.example\n250 AUTH XOAUTH2 SCRAM-SHA-256"] {
            var talk = conversation()
            _ = talk.receive(reply("220 mail.example"))
            #expect(talk.receive(reply(text)) == .fail(.noSignIn))
        }
    }

    @Test("RFC 4954, 6: a wrong password is said to be one, and a server that cannot check it now is asked again")
    func wrongPassword() {
        for (text, isLater) in [("535 5.7.8 Authentication credentials invalid", false), ("454 4.7.0 Temporary", true)]
        {
            var talk = conversation()
            _ = talk.receive(reply("220 mail.example"))
            _ = talk.receive(reply("250-mail.example\n250 AUTH PLAIN"))
            #expect(talk.receive(reply(text)) == .fail(isLater ? .notNow(reply(text)) : .wrongPassword(reply(text))))
        }
    }

    @Test("RFC 5321, 4.2.1: 4yz at any point may pass, and 5yz does not", arguments: 0..<5)
    func refusals(step: Int) {
        let replies = ["220 x", "250-x\n250 AUTH PLAIN", "235 OK", "250 OK", "250 OK", "354 go"]
        for (text, isLater) in [("450 4.2.0 later", true), ("550 5.1.1 nobody", false)] {
            var talk = conversation()
            for earlier in replies.prefix(step == 0 ? 0 : step + 2) { _ = talk.receive(reply(earlier)) }
            let fault: MailFault = isLater ? .notNow(reply(text)) : .refused(reply(text))
            #expect(talk.receive(reply(text)) == .fail(fault), "after \(step)")
            #expect(fault.mayPass == isLater)
        }
    }

    @Test("RFC 5321, 4.5.2: a line that begins with a dot gets another, and the end is a dot alone")
    func stuffing() {
        func stuffed(_ text: String) -> String {
            String(decoding: SMTPConversation.stuffed(Array(text.utf8)), as: UTF8.self)
        }
        #expect(stuffed(".\r\n..a\r\nb.\r\n") == "..\r\n...a\r\nb.\r\n.\r\n")
        #expect(stuffed("no end") == "no end\r\n.\r\n")
        #expect(stuffed("") == ".\r\n")
    }
}
