/// The words of an authenticator that has made a passkey (WebAuthn 6.5.4).
struct AttestationObject: Sendable {
    /// The longest that is read, in bytes: a passkey with a chain of certificates has some thousand.
    static let longest = 12_288

    /// The bytes that the attestation signs, as they were written.
    let writtenData: [UInt8]
    /// The same, read.
    let authenticatorData: AuthenticatorData
    private let format: String
    private let statement: [CBORValue: CBORValue]

    /// Reads the bytes, which are all of it.
    ///
    /// - Throws: `malformed`, or `algorithm` for a key of a kind that the hub does not know.
    init(_ bytes: [UInt8]) throws(WebAuthnError) {
        guard bytes.count <= Self.longest else { throw .malformed }
        let value: CBORValue
        do throws(CBORError) { value = try CBORReader.whole(bytes) } catch { throw .malformed }
        guard let entries = value.entries, let format = entries[.text("fmt")]?.string,
            let statement = entries[.text("attStmt")]?.entries,
            let written = entries[.text("authData")]?.byteString
        else { throw .malformed }
        self.format = format
        self.statement = statement
        writtenData = written
        authenticatorData = try AuthenticatorData(written)
    }

    /// Checks what the passkey attests of itself: `none`, or `packed` signed by the passkey's own key (WebAuthn 8.2, 8.7). What
    /// a maker attests with certificates is not looked at, since a household trusts any device that an adult chose.
    ///
    /// - Parameters:
    ///   - credential: the passkey in it.
    ///   - clientDataHash: the hash of the client data.
    /// - Throws: `attestation` where it is wrong.
    func checkStatement(of credential: AuthenticatorData.Credential, clientDataHash: [UInt8]) throws(WebAuthnError) {
        switch format {
        case "none": guard statement.isEmpty else { throw .attestation }
        case "packed" where statement[.text("x5c")] == nil:
            guard statement[.text("alg")]?.integer == credential.key.algorithm.rawValue,
                let signature = statement[.text("sig")]?.byteString,
                credential.key.isSigned(writtenData + clientDataHash, by: signature)
            else { throw .attestation }
        default: break
        }
    }
}
