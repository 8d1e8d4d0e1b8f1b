import Foundation
import Testing

@testable import Outbound

@Suite("An e-mail")
struct MailMessageTests {
    private func message(_ subject: String = "Brush", _ body: String = "It is time.") -> MailMessage {
        MailMessage(
            from: MailAddress("tandem@linden.example")!, to: MailAddress("ines@linden.example")!, subject: subject,
            body: body, at: 1_795_266_000_000, identity: "k7fq2m9x")
    }

    @Test("RFC 5322: its header says from whom, to whom, when and which it is, the same each time")
    func header() {
        let text = String(decoding: message().bytes, as: UTF8.self)
        let header = text.components(separatedBy: "\r\n\r\n")[0].components(separatedBy: "\r\n")
        #expect(
            header == [
                "From: Tandem <tandem@linden.example>", "To: <ines@linden.example>", "Subject: Brush",
                "Date: Sat, 21 Nov 2026 13:00:00 +0000", "Message-ID: <k7fq2m9x@linden.example>",
                "Auto-Submitted: auto-generated", "MIME-Version: 1.0", "Content-Type: text/plain; charset=utf-8",
                "Content-Transfer-Encoding: quoted-printable",
            ])
        #expect(text.hasSuffix("\r\n\r\nIt is time.\r\n"))
        #expect(message().bytes == message().bytes)
    }

    @Test("RFC 2047: a subject of other letters is encoded words of 75 characters at most, each of whole characters")
    func words() throws {
        #expect(MailMessage.encodedWords("Zähne putzen") == "=?utf-8?B?WsOkaG5lIHB1dHplbg==?=")
        let long = String(repeating: "ü🪥 ", count: 40)
        let lines = MailMessage.encodedWords(long).components(separatedBy: "\r\n ")
        #expect(lines.count > 1 && lines.allSatisfy { $0.count <= 75 })
        let decoded = try lines.map { line in
            let base64 = String(line.dropFirst("=?utf-8?B?".count).dropLast(2))
            let bytes = try #require(Data(base64Encoded: base64))
            return try #require(String(data: bytes, encoding: .utf8))
        }
        #expect(decoded.joined() == long.trimmingCharacters(in: .whitespaces))
        // What looks like an encoded word is one.
        #expect(MailMessage.encodedWords("=?utf-8?Q?x?=").hasPrefix("=?utf-8?B?"))
    }

    @Test(
        "No subject ends its line or begins another header",
        arguments: ["a\r\nBcc: x@y.example", "a\nBcc: x", "a\rBcc: x", "a\u{0}\u{B}\u{85}\u{2028}b", "\r\n\r\nbody"])
    func injection(subject: String) {
        let text = String(decoding: message(subject).bytes, as: UTF8.self)
        let header = text.components(separatedBy: "\r\n\r\n")[0].components(separatedBy: "\r\n")
        #expect(header.count == 9 && !header.contains { $0.hasPrefix("Bcc") })
        #expect(text.utf8.allSatisfy { $0 == 0x0D || $0 == 0x0A || (0x20...0x7E).contains($0) })
    }

    @Test("RFC 2045, 6.7: the body is quoted-printable, in lines of 76 characters at most")
    func quotedPrintable() {
        func quoted(_ text: String) -> String { String(decoding: MailMessage.quotedPrintable(text), as: UTF8.self) }
        #expect(quoted("Zähne = Zahn") == "Z=C3=A4hne =3D Zahn\r\n")
        #expect(quoted("a \nb\t\r\nc\rd") == "a=20\r\nb=09\r\nc\r\nd\r\n")
        let long = quoted(String(repeating: "x", count: 76))
        #expect(long == String(repeating: "x", count: 76) + "\r\n")
        #expect(
            quoted(String(repeating: "x", count: 77))
                == String(repeating: "x", count: 75) + "=\r\nxx\r\n")
        #expect(quoted(String(repeating: "ä", count: 40)).components(separatedBy: "\r\n").allSatisfy { $0.count <= 76 })
    }

    @Test(
        "RFC 5321, 4.1.2: an address is a dot-atom and a host name",
        arguments: ["ines@linden.example", "i.n+e_s@mail.linden.example", "o'hara@x-y.example"])
    func address(text: String) { #expect(MailAddress(text)?.text == text) }

    @Test(
        "What is none is refused, above all what could end its line or its brackets",
        arguments: [
            "ines", "@linden.example", "ines@", "ines@linden", "a@b@c.example", "ines @linden.example",
            "ines@linden.example>", "<ines@linden.example", "ines@linden.example\r\nRCPT TO:<x@y.example>",
            "ines\u{0}@linden.example", "i..n@linden.example", ".i@linden.example", "i@.example", "i@linden..example",
            "\"ines\"@linden.example", "ìnes@linden.example", "ines@[127.0.0.1]",
            String(repeating: "a", count: 65) + "@linden.example",
            "a@" + String(repeating: "b.", count: 130) + "example",
        ])
    func noAddress(text: String) { #expect(MailAddress(text) == nil) }
}
