import HTTPTypes
import HubKit

extension Problem {
    static let sharedDevice = Problem(
        .forbidden, "A family device",
        "The family shares this device, and whoever unlocks it could use the passkey. Make it on a phone of your own.")
    static let noAccount = Problem.notFound("There is no account here. It may have been removed.")
    static let noPasskey = Problem.notFound("There is no such passkey here. It may have been removed.")

    static func tooManyPasskeys(_ most: Int) -> Problem {
        Problem(.conflict, "Too many passkeys", "You have \(most) passkeys. Remove one that you do not use any more.")
    }

    /// The problem of a passkey that could not be made.
    static func notMade(_ reason: WebAuthnError) -> Problem {
        switch reason {
        case .challenge:
            Problem(.unprocessableContent, "Too late", "This took too long, or was answered already. Please try again.")
        case .origin, .relyingParty: elsewhere(.unprocessableContent)
        case .userPresence, .userVerification: notVerified(.unprocessableContent)
        case .algorithm:
            Problem(
                .unprocessableContent, "Another kind of key",
                "This device makes a kind of key that the hub does not know. Use another device, or the password.")
        case .malformed, .type, .backup, .attestation, .signature, .user, .counter:
            Problem(
                .unprocessableContent, "Not understood",
                "What the browser sent is no passkey that the hub can read. Try again, or with another browser.")
        }
    }

    /// The problem of a passkey that opens nothing.
    static func notIn(_ reason: WebAuthnError) -> Problem {
        switch reason {
        case .challenge:
            Problem(.unauthorized, "Too late", "This took too long, or was answered already. Please try again.")
        case .origin, .relyingParty: elsewhere(.unauthorized)
        case .userPresence, .userVerification: notVerified(.unauthorized)
        case .counter:
            Problem(
                .unauthorized, "Perhaps a copy",
                "This passkey has counted less than before, as a copy would. Sign in with your password, and look at it in Settings."
            )
        case .malformed, .type, .backup, .attestation, .signature, .user, .algorithm:
            Problem(
                .unauthorized, "Not signed in",
                "This passkey opens nothing here. It may have been removed. Sign in with your password.")
        }
    }

    private static func elsewhere(_ status: HTTPResponse.Status) -> Problem {
        Problem(
            status, "Another address",
            "This passkey belongs to another address. Open the hub at the address where the passkey was made.")
    }

    private static func notVerified(_ status: HTTPResponse.Status) -> Problem {
        Problem(
            status, "Is it you?",
            "The device did not look who it is. Give it a screen lock, a fingerprint or a PIN, then try again.")
    }
}
