import Foundation
import HubKit
import Localization
import Storage

/// A passkey that the browser has made, with the name that its owner gives it.
struct NewPasskey: Decodable {
    /// The parts of `RegistrationResponseJSON` that count (WebAuthn Level 3, 5.1.8.1).
    struct Credential: Decodable {
        struct Response: Decodable {
            var clientDataJSON, attestationObject: String
            var transports: [String]?
        }
        var response: Response

        /// The answer as bytes.
        ///
        /// - Throws: a 422 problem for text that is none.
        func registration() throws -> Registration {
            guard let client = Base64URL.bytes(response.clientDataJSON),
                let attestation = Base64URL.bytes(response.attestationObject)
            else { throw Problem.notMade(.malformed) }
            return Registration(clientData: Array(client), attestation: Array(attestation))
        }
    }
    var name: String
    var credential: Credential
}

/// A passkey that was used: the parts of `AuthenticationResponseJSON` that count (WebAuthn Level 3, 5.1.8.2).
struct UsedPasskey: Decodable {
    struct Response: Decodable {
        var clientDataJSON, authenticatorData, signature: String
        var userHandle: String?
    }
    var id: String
    var response: Response

    /// The answer as bytes.
    ///
    /// - Throws: a 401 problem for text that is none.
    func assertion() throws -> Assertion {
        guard let id = Base64URL.bytes(id), let client = Base64URL.bytes(response.clientDataJSON),
            let data = Base64URL.bytes(response.authenticatorData),
            let signature = Base64URL.bytes(response.signature),
            let user = Base64URL.bytes(response.userHandle ?? "")
        else { throw Problem.notIn(.malformed) }
        return Assertion(
            id: Array(id), clientData: Array(client), authenticatorData: Array(data), signature: Array(signature),
            user: Array(user))
    }
}

/// The response about passkeys to a page that shows the sign-in.
struct DoorResponse: Codable {
    /// The options with which the browser asks for a passkey; absent where none can be used.
    var options: RequestOptions?
    /// The reason in words why none can be used here, where there are some at another name of the hub.
    var obstacle: String?
}

/// A passkey as its owner sees it.
struct PasskeyResponse: Codable {
    var id, name: String
    var createdAt: Int64
    var usedAt: Int64?
    /// The name of the hub that it belongs to.
    var relyingParty: String
    /// Whether it can be used at the address by which this page was opened.
    var isHere: Bool
    /// Whether it is copied to the owner's other devices.
    var isBackedUp: Bool
    /// The time at which it was last refused because it had counted less than before, in UTC milliseconds; absent if never.
    var counterBackAt: Int64?

    /// Creates the response.
    ///
    /// - Parameter here: the name by which the page was opened; nil where no passkey is possible.
    init(_ record: PasskeyRecord, here: String?) {
        id = record.id
        name = record.name
        createdAt = record.createdAt
        usedAt = record.usedAt
        relyingParty = record.relyingParty
        isHere = record.relyingParty == here
        isBackedUp = record.isBackedUp
        counterBackAt = record.counterBackAt
    }
}

/// The passkeys of who is signed in.
struct PasskeysResponse: Codable {
    var passkeys: [PasskeyResponse]
    /// The reason in words why none can be made here; absent where one can.
    var obstacle: String?

    /// Creates the response.
    init(_ records: [PasskeyRecord], _ request: APIRequest) throws {
        var here: String?
        if try request.member.isShared { obstacle = request.localized.string(Problem.sharedDevice.detail) }
        do throws(RelyingParty.Obstacle) {
            here = try RelyingParty(request.source).id
        } catch {
            obstacle = request.localized.string(error.words(home: RelyingParty.Obstacle.home(request.hub.settings)))
        }
        passkeys = records.map { PasskeyResponse($0, here: here) }
    }
}

extension RelyingParty {
    /// The name by which a request came.
    ///
    /// - Throws: a 422 problem where no passkey is possible, with what to do.
    static func of(_ request: APIRequest) throws(Problem) -> RelyingParty {
        do throws(Obstacle) {
            return try RelyingParty(request.source)
        } catch {
            throw Problem(
                .unprocessableContent, title: LocalizedText("No passkey here"),
                detail: error.words(home: Obstacle.home(request.hub.settings)))
        }
    }
}
