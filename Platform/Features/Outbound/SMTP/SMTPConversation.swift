import Foundation
import HubKit

/// The conversation with an SMTP server, as a state machine: replies in, commands out. It signs in, over TLS alone, and hands
/// over one message (RFC 5321, RFC 3207, RFC 4954).
struct SMTPConversation: Sendable {
    /// The next thing to do.
    enum Action: Equatable, Sendable {
        /// Bytes are sent, and a reply is waited for.
        case send([UInt8])
        /// TLS begins; ``SMTPConversation/secured()`` goes on.
        case startTLS
        /// The message was taken, or the sign-in was; the connection ends with these bytes.
        case finish([UInt8])
        /// The conversation has failed.
        case fail(MailFault)
    }

    /// The message with its envelope (RFC 5321, 2.3.1).
    struct Envelope: Sendable, Equatable {
        var sender, recipient: MailAddress
        /// The header and the body (RFC 5322), with CRLF at the end of each line.
        var content: [UInt8]
    }

    private enum Step {
        case greeting
        /// EHLO without TLS, which is to offer it.
        case plainHello
        case startTLS
        case handshake
        case hello
        case signIn
        case user
        case password
        case sender
        case recipient
        case data
        case content
        case done
    }

    private var step = Step.greeting
    private let isStarttls: Bool
    private let user, password: String
    private let envelope: Envelope?

    /// Begins a conversation.
    ///
    /// - Parameters:
    ///   - isStarttls: whether TLS begins within it; otherwise the connection is encrypted from the start.
    ///   - user: the name to sign in with.
    ///   - password: the password.
    ///   - envelope: the message; nil to sign in and leave, as a check.
    init(isStarttls: Bool, user: String, password: String, envelope: Envelope?) {
        self.isStarttls = isStarttls
        self.user = user
        self.password = password
        self.envelope = envelope
    }

    /// The name in EHLO: an address literal that tells nothing of the house (RFC 5321, 4.1.4, allows one where a client has no
    /// name).
    private static let ownName = "[127.0.0.1]"
    static let quit = Array("QUIT\r\n".utf8)

    /// Whether it hands a message over, and does not only sign in.
    var isDelivery: Bool { envelope != nil }

    /// Takes a reply.
    mutating func receive(_ reply: SMTPReply) -> Action {
        switch step {
        case .greeting:
            guard reply.code == 220 else { return refusal(reply) }
            return hello(then: isStarttls ? .plainHello : .hello)
        case .plainHello:
            guard reply.code == 250 else { return refusal(reply) }
            guard SMTPCapabilities(reply).hasStarttls else { return fail(.noTLS) }
            return say("STARTTLS", then: .startTLS)
        case .startTLS:
            // RFC 3207, 4: 454 means that TLS is not available now.
            guard reply.code == 220 else { return reply.isTransient ? refusal(reply) : fail(.noTLS) }
            step = .handshake
            return .startTLS
        // Nothing is said before the handshake is done.
        case .handshake, .done: return fail(.notUnderstood)
        case .hello:
            guard reply.code == 250 else { return refusal(reply) }
            return signIn(SMTPCapabilities(reply))
        case .signIn where reply.code == 334: return say(Self.base64(user), then: .user)
        case .user:
            guard reply.code == 334 else { return signInRefusal(reply) }
            return say(Self.base64(password), then: .password)
        case .signIn, .password:
            guard reply.code == 235 else { return signInRefusal(reply) }
            guard let envelope else { return finish() }
            return say("MAIL FROM:<\(envelope.sender.text)>", then: .sender)
        case .sender:
            guard reply.code == 250, let envelope else { return refusal(reply) }
            return say("RCPT TO:<\(envelope.recipient.text)>", then: .recipient)
        case .recipient:
            guard (250...252).contains(reply.code) else { return refusal(reply) }
            return say("DATA", then: .data)
        case .data:
            guard reply.code == 354, let envelope else { return refusal(reply) }
            step = .content
            return .send(Self.stuffed(envelope.content))
        case .content:
            guard reply.code == 250 else { return refusal(reply) }
            return finish()
        }
    }

    /// Goes on after the handshake: what was said before it counts for nothing (RFC 3207, 4.2).
    mutating func secured() -> Action {
        guard step == .handshake else { return fail(.notUnderstood) }
        return hello(then: .hello)
    }

    private mutating func hello(then next: Step) -> Action { say("EHLO \(Self.ownName)", then: next) }

    private mutating func signIn(_ capabilities: SMTPCapabilities) -> Action {
        if capabilities.mechanisms.contains("PLAIN") {
            // RFC 4616, 2: no identity to act for, the name, the password.
            return say("AUTH PLAIN \(Self.base64("\0\(user)\0\(password)"))", then: .signIn)
        }
        if capabilities.mechanisms.contains("LOGIN") { return say("AUTH LOGIN", then: .signIn) }
        return fail(.noSignIn)
    }

    private mutating func say(_ line: String, then next: Step) -> Action {
        step = next
        return .send(Array("\(line)\r\n".utf8))
    }

    private mutating func finish() -> Action {
        step = .done
        return .finish(Self.quit)
    }

    private mutating func fail(_ fault: MailFault) -> Action {
        step = .done
        return .fail(fault)
    }

    private mutating func refusal(_ reply: SMTPReply) -> Action {
        fail(reply.isTransient ? .notNow(reply) : reply.isPositive ? .notUnderstood : .refused(reply))
    }

    private mutating func signInRefusal(_ reply: SMTPReply) -> Action {
        fail(reply.isTransient ? .notNow(reply) : reply.isPositive ? .notUnderstood : .wrongPassword(reply))
    }

    private static func base64(_ text: String) -> String { Data(text.utf8).base64EncodedString() }

    /// The content with one dot more before each line that begins with one, and its end (RFC 5321, 4.5.2).
    static func stuffed(_ content: [UInt8]) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(content.count + 16)
        var isLineStart = true
        for byte in content {
            if isLineStart, byte == UInt8(ascii: ".") { bytes.append(byte) }
            bytes.append(byte)
            isLineStart = byte == UInt8(ascii: "\n")
        }
        if !isLineStart { bytes += Array("\r\n".utf8) }
        return bytes + Array(".\r\n".utf8)
    }
}

/// The extensions that a server names in its answer to EHLO (RFC 5321, 4.1.1.1).
struct SMTPCapabilities: Sendable, Equatable {
    /// Whether it can begin TLS.
    var hasStarttls = false
    /// The ways to sign in that it offers, in capital letters.
    var mechanisms: Set<String> = []

    /// Reads an answer, whose first line is a greeting.
    init(_ reply: SMTPReply) {
        for line in reply.lines.dropFirst() {
            let words = line.uppercased().split(separator: " ")
            switch words.first {
            case "STARTTLS": hasStarttls = true
            case "AUTH": mechanisms.formUnion(words.dropFirst().map(String.init))
            default: continue
            }
        }
    }
}
