import Foundation
import HubKit
import Storage

/// The options for `navigator.credentials.create` (WebAuthn Level 3, 5.1.9, `PublicKeyCredentialCreationOptionsJSON`).
struct CreationOptions: Codable {
    struct Party: Codable { var id, name: String }
    struct User: Codable { var id, name, displayName: String }
    struct Parameter: Codable {
        var type = CredentialKind.publicKey
        var alg: Int
    }
    struct Selection: Codable {
        /// A passkey that the device lists by itself, without being told an account.
        var residentKey = Requirement.required
        var requireResidentKey = true
        var userVerification = Requirement.required
    }
    enum Attestation: String, Codable, CaseIterable { case none }

    var rp: Party
    var user: User
    var challenge: String
    var pubKeyCredParams: [Parameter]
    /// The time in which the answer has to come, in milliseconds.
    var timeout: Int64
    /// The passkeys that the account has already, so that a device makes no second one.
    var excludeCredentials: [CredentialDescriptor]
    var authenticatorSelection = Selection()
    var attestation = Attestation.none

    /// Creates the options for a person's account.
    init(
        _ challenge: [UInt8], _ party: RelyingParty, hub: String, person: PersonRecord, existing: [PasskeyRecord]
    ) {
        rp = Party(id: party.id, name: hub)
        // The id is random and says nothing of the person (5.4.3).
        user = User(
            id: Base64URL.text(Array(person.id.utf8)), name: person.email ?? person.name, displayName: person.name)
        self.challenge = Base64URL.text(challenge)
        pubKeyCredParams = COSEKey.Algorithm.allCases.map { Parameter(alg: $0.rawValue) }
        timeout = PasskeyChallenges.milliseconds
        excludeCredentials = existing.map(CredentialDescriptor.init)
    }
}

/// The options for `navigator.credentials.get` (WebAuthn Level 3, 5.1.10, `PublicKeyCredentialRequestOptionsJSON`). It names no
/// passkey: the device lists those that it has for the hub.
struct RequestOptions: Codable {
    var challenge, rpId: String
    /// The time in which the answer has to come, in milliseconds.
    var timeout: Int64
    var userVerification = Requirement.required

    /// Creates the options.
    init(_ challenge: [UInt8], _ party: RelyingParty) {
        self.challenge = Base64URL.text(challenge)
        rpId = party.id
        timeout = PasskeyChallenges.milliseconds
    }
}

/// A passkey by its name (WebAuthn 5.8.3).
struct CredentialDescriptor: Codable {
    var type = CredentialKind.publicKey
    var id: String
    var transports: [String]

    /// Creates the description of a stored one.
    init(_ record: PasskeyRecord) {
        id = Base64URL.text(record.credential)
        transports = record.transportList
    }
}

/// The one kind of credential there is (WebAuthn 5.8.2).
enum CredentialKind: String, Codable, CaseIterable { case publicKey = "public-key" }

/// Whether something has to be (WebAuthn 5.4.6, 5.8.6); the hub requires what it asks for.
enum Requirement: String, Codable, CaseIterable { case required }

extension PasskeyRecord {
    /// The ways in which a browser reaches the device.
    var transportList: [String] { transports.split(separator: ",").map(String.init) }
}
