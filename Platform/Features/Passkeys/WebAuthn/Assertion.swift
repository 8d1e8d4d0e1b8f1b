/// The answer of a browser in which a passkey was used, as bytes.
struct Assertion: Sendable {
    /// The name of the passkey.
    var id: [UInt8]
    /// The bytes that say what page asked, in the browser’s words.
    var clientData: [UInt8]
    /// The bytes that say how it was used, in the authenticator’s words.
    var authenticatorData: [UInt8]
    /// The signature of both.
    var signature: [UInt8]
    /// The account that the authenticator keeps with the passkey.
    var user: [UInt8]

    /// The longest that is read of what the authenticator says, and of its signature, in bytes.
    static let longest = 4_096

    /// A passkey as it is stored.
    struct Known: Sendable {
        /// The public key, as COSE writes it.
        var publicKey: [UInt8]
        /// The account that it opens.
        var user: [UInt8]
        /// The number of uses that the device had counted.
        var signCount: UInt32
    }

    /// A use that was checked.
    struct Used: Sendable, Equatable {
        /// The number of uses that the device has counted.
        var signCount: UInt32
        /// Whether the passkey has been copied to the owner's other devices.
        var isBackedUp: Bool
    }

    /// Checks all of it by WebAuthn 7.2.
    ///
    /// - Parameters:
    ///   - known: the passkey that has its name.
    ///   - expected: what the hub expects.
    /// - Throws: the first reason against it; `counter`, the last, where all else is right.
    func checked(_ known: Known, _ expected: CeremonyExpectation) throws(WebAuthnError) -> Used {
        guard authenticatorData.count <= Self.longest, signature.count <= Self.longest else { throw .malformed }
        let client = try ClientData(clientData)
        try client.check(.get, expected)
        // Its owner was not known before (7.2, 6).
        guard user == known.user else { throw .user }
        let data = try AuthenticatorData(authenticatorData)
        try expected.check(data)
        guard try COSEKey(known.publicKey).isSigned(authenticatorData + client.hash, by: signature) else {
            throw .signature
        }
        guard Self.hasGoneOn(from: known.signCount, to: data.signCount) else { throw .counter }
        return Used(signCount: data.signCount, isBackedUp: data.isBackedUp)
    }

    /// Whether a counter has gone on, or the device does not count (7.2, 21).
    static func hasGoneOn(from stored: UInt32, to signCount: UInt32) -> Bool {
        (stored == 0 && signCount == 0) || signCount > stored
    }
}
