import HubKit
import Localization

/// The reason why an e-mail was not handed over.
package enum MailFault: Error, Equatable, Sendable {
    /// The policy does not allow it, or the server could not be reached.
    case outbound(OutboundError)
    /// The server did not answer in time, or ended the connection.
    case ended
    /// The server's certificate is not trusted.
    case untrusted
    /// The server does not offer TLS, without which nothing is said.
    case noTLS
    /// The server offers no way to sign in that the hub knows.
    case noSignIn
    /// The server does not take name and password.
    case wrongPassword(SMTPReply)
    /// The server wants to be asked again later (RFC 5321, 4.2.1: 4yz).
    case notNow(SMTPReply)
    /// The server refuses for good (5yz).
    case refused(SMTPReply)
    /// The server says what no mail server says.
    case notUnderstood

    /// Whether the same message may be handed over later.
    package var mayPass: Bool {
        switch self {
        case .outbound(.refused), .untrusted, .noTLS, .noSignIn, .wrongPassword, .refused: false
        case .outbound, .ended, .notNow, .notUnderstood: true
        }
    }

    /// The code of the server's last reply; nil if there was none.
    var code: Int? {
        switch self {
        case .wrongPassword(let reply), .notNow(let reply), .refused(let reply): reply.code
        default: nil
        }
    }

    /// The words for people: what is wrong, and what to do.
    package var words: LocalizedText {
        switch self {
        case .outbound(.refused(let reason)): LocalizedText("The mail server is not called: \(reason).")
        case .outbound(.tooMany): LocalizedText("The hub has sent many emails within an hour, and waits.")
        case .outbound(.unreachable): LocalizedText("Nothing answers there. Check the server and the port.")
        case .ended:
            LocalizedText(
                "The mail server said nothing in time, or ended the connection. TLS is usual on port 465, STARTTLS on port 587."
            )
        case .untrusted:
            LocalizedText(
                "The mail server’s certificate is not trusted. Give its authority’s certificate, or its fingerprint.")
        case .noTLS:
            LocalizedText(
                "The mail server does not encrypt there as you have chosen, and the password is not sent without. TLS is usual on port 465, STARTTLS on port 587."
            )
        case .noSignIn: LocalizedText("The mail server offers no sign-in that Tandem knows.")
        case .wrongPassword(let reply):
            LocalizedText(
                "The mail server does not let Tandem in: \(Self.said(reply)). Check the name and the password; some providers want a password made for apps."
            )
        case .notNow(let reply):
            LocalizedText("The mail server does not take it now: \(Self.said(reply)). The hub tries again.")
        case .refused(let reply): LocalizedText("The mail server does not take it: \(Self.said(reply)).")
        case .notUnderstood: LocalizedText("What answers there is no mail server.")
        }
    }

    /// The last line that the server said, with the code, of a length that can be shown.
    private static func said(_ reply: SMTPReply) -> String {
        let text = (reply.lines.last ?? "").withoutUnseenCharacters.prefix(160)
        let bare = text.hasSuffix(".") ? text.dropLast() : text
        return bare.isEmpty ? "\(reply.code)" : "\(reply.code) \(bare)"
    }
}
