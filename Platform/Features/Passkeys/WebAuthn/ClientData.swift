import Crypto
import Foundation
import HubKit
import Wire

/// The words of a browser about the page that asked, which the authenticator signs by their hash (WebAuthn 5.8.1).
struct ClientData: Sendable {
    /// The longest that is read, in bytes.
    static let longest = 4_096

    /// The wish of the page.
    enum Kind: String {
        /// A new passkey.
        case create = "webauthn.create"
        /// The use of one.
        case get = "webauthn.get"
    }

    private struct Members: Decodable {
        var type, challenge, origin: String
        var crossOrigin: Bool?
        var topOrigin: String?
    }

    /// The challenge that was answered.
    let challenge: [UInt8]
    /// The hash of the bytes as they came.
    let hash: [UInt8]
    private let members: Members

    /// Reads the bytes, JSON in UTF-8.
    ///
    /// - Throws: `malformed`.
    init(_ bytes: [UInt8]) throws(WebAuthnError) {
        guard bytes.count <= Self.longest, !UnseenCharacters.isForeign(toJSON: bytes),
            let members = try? JSONDecoder().decode(Members.self, from: Data(bytes)),
            let challenge = Base64URL.bytes(members.challenge)
        else { throw .malformed }
        self.members = members
        self.challenge = Array(challenge)
        hash = Array(SHA256.hash(data: bytes))
    }

    /// Checks what it says (WebAuthn 7.1, 7 to 9; 7.2, 11 to 13, in the numbers of Level 2).
    ///
    /// - Parameters:
    ///   - kind: what was asked for.
    ///   - expected: what the hub expects.
    /// - Throws: `type`, `challenge` or `origin`.
    func check(_ kind: Kind, _ expected: CeremonyExpectation) throws(WebAuthnError) {
        guard members.type == kind.rawValue else { throw .type }
        guard Secret.areEqual(Data(challenge), Data(expected.challenge)) else { throw .challenge }
        // A page of the hub's is shown in no frame, so that none of another site asks through it (Level 3, 7.1 and 7.2).
        guard members.origin == expected.origin, members.crossOrigin != true, members.topOrigin == nil else {
            throw .origin
        }
    }
}

/// The answer that the hub expects.
struct CeremonyExpectation: Sendable {
    /// The challenge that the hub made.
    var challenge: [UInt8]
    /// The origin of the hub's page, such as `https://linden.local:8443`.
    var origin: String
    /// The name that the passkey belongs to, such as `linden.local`.
    var relyingParty: String
    /// Whether the device has to look who it is. It stands for the password, so that it has to.
    var needsUserVerification = true

    /// Checks what an authenticator says of its use (WebAuthn 7.1, 13 to 15; 7.2, 15 to 17; Level 3, 6.1.3).
    ///
    /// - Throws: `relyingParty`, `userPresence`, `userVerification` or `backup`.
    func check(_ data: AuthenticatorData) throws(WebAuthnError) {
        guard data.relyingPartyHash == Array(SHA256.hash(data: Array(relyingParty.utf8))) else { throw .relyingParty }
        guard data.isUserPresent else { throw .userPresence }
        guard data.isUserVerified || !needsUserVerification else { throw .userVerification }
        guard data.isBackupEligible || !data.isBackedUp else { throw .backup }
    }
}
