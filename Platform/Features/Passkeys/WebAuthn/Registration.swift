/// The answer of a browser that has made a passkey, as bytes.
struct Registration: Sendable {
    /// The bytes that say what page asked, in the browser’s words.
    var clientData: [UInt8]
    /// The bytes that say what passkey was made, in the authenticator’s words.
    var attestation: [UInt8]

    /// A new passkey that was checked.
    struct Made: Sendable, Equatable {
        /// The name by which the authenticator finds it again.
        var id: [UInt8]
        /// The public key, as COSE writes it.
        var publicKey: [UInt8]
        /// The number of uses that the device has counted.
        var signCount: UInt32
        /// Whether it may be copied to the owner's other devices, and whether it has been.
        var isBackupEligible, isBackedUp: Bool
    }

    /// Checks all of it by WebAuthn 7.1; that nobody has the passkey yet is for the caller to see.
    ///
    /// - Throws: the first reason against it.
    func checked(_ expected: CeremonyExpectation) throws(WebAuthnError) -> Made {
        let client = try ClientData(clientData)
        try client.check(.create, expected)
        let object = try AttestationObject(attestation)
        let data = object.authenticatorData
        try expected.check(data)
        guard let credential = data.credential else { throw .malformed }
        try object.checkStatement(of: credential, clientDataHash: client.hash)
        return Made(
            id: credential.id, publicKey: credential.publicKey, signCount: data.signCount,
            isBackupEligible: data.isBackupEligible, isBackedUp: data.isBackedUp)
    }
}
