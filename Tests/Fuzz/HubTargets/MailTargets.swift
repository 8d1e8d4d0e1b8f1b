import FuzzTargets
import HubKit

@testable import Outbound

extension FuzzTarget {
    /// What a mail server says, and what is written for one.
    static var mail: [FuzzTarget] {
        [
            FuzzTarget(
                "smtp-replies", longestInput: 10_000,
                dictionary: ["\r\n", "250-", "250 ", "220 ", "334 ", "535 5.7.8 ", "AUTH PLAIN", "STARTTLS"],
                seeds: [
                    "220 mail.example\r\n250-mail.example\r\n250-STARTTLS\r\n250 AUTH PLAIN LOGIN\r\n",
                    "220 x\r\n250 STARTTLS\r\n220 go\r\n250 injected\r\n",
                ].map { Array($0.utf8) }
            ) { bytes throws(BrokenProperty) in try checkReplies(bytes) },
            FuzzTarget(
                "mail-messages", longestInput: 1_024, dictionary: ["\r\n", "Bcc: ", "=?utf-8?B?", "\u{2028}", "."],
                seeds: ["Brush\n.It is time\n", "a\r\nBcc: x@y.example\nbody"].map { Array($0.utf8) }
            ) { bytes throws(BrokenProperty) in try checkMessage(bytes) },
        ]
    }

    private static func checkReplies(_ bytes: [UInt8]) throws(BrokenProperty) {
        let whole = read([bytes])
        let pieces = read(bytes.map { [$0] })
        try require(whole.replies.count <= pieces.replies.count, "pieces hide no reply that the whole has")
        try require(
            zip(whole.replies, pieces.replies).allSatisfy { $0 == $1 },
            "the same bytes say the same, in whatever pieces")
        var talk = SMTPConversation(isStarttls: true, user: "u", password: "secret", envelope: nil)
        for reply in whole.replies {
            try require((200...559).contains(reply.code), "a code is one of SMTP")
            switch talk.receive(reply) {
            case .send(let said):
                let text = String(decoding: said, as: UTF8.self)
                try require(!text.contains("AUTH") && !text.contains("c2VjcmV0"), "nothing is told before TLS")
            case .startTLS, .finish, .fail: return
            }
        }
    }

    private static func read(_ pieces: [[UInt8]]) -> (replies: [SMTPReply], fault: SMTPReplyParser.Fault?) {
        var parser = SMTPReplyParser()
        var replies: [SMTPReply] = []
        do throws(SMTPReplyParser.Fault) {
            for piece in pieces {
                try parser.append(piece)
                while let reply = try parser.next() { replies.append(reply) }
            }
            return (replies, nil)
        } catch {
            return (replies, error)
        }
    }

    private static func checkMessage(_ bytes: [UInt8]) throws(BrokenProperty) {
        let text = String(decoding: bytes, as: UTF8.self)
        guard let address = MailAddress("a@b.example") else { return }
        if let own = MailAddress(text) {
            try require(
                own.text.utf8.allSatisfy { (0x21...0x7E).contains($0) && $0 != 0x3C && $0 != 0x3E },
                "an address ends no bracket and no line")
        }
        let message = MailMessage(from: address, to: address, subject: text, body: text, at: 0, identity: "i").bytes
        let said = SMTPConversation.stuffed(message)
        let lines = String(decoding: said, as: UTF8.self).split(separator: "\r\n", omittingEmptySubsequences: false)
        try require(
            lines.allSatisfy { line in
                line.utf8.count <= 998 && !line.utf8.contains(0x0A) && !line.utf8.contains(0x0D)
            }, "lines end in CRLF, and are as long as mail's may be (RFC 5322, 2.1.1)")
        try require(lines.count { $0 == "." } == 1, "a message ends once")
        let header = lines.prefix { !$0.isEmpty }
        try require(
            header.count { !$0.hasPrefix(" ") } == 9, "a header has the fields that it has, and none of the text's")
    }
}
