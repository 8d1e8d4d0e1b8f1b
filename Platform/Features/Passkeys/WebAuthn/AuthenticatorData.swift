/// The words of an authenticator about a passkey and its use, which it signs (WebAuthn 6.1).
struct AuthenticatorData: Sendable {
    /// A new passkey in it (WebAuthn 6.5.1).
    struct Credential: Sendable {
        /// The name by which the authenticator finds it again.
        var id: [UInt8]
        /// The public key, as it was written.
        var publicKey: [UInt8]
        /// The same, read.
        var key: COSEKey
    }

    /// The longest name of a passkey, in bytes (WebAuthn 7.1).
    static let longestID = 1_023

    /// The hash of the name that the passkey belongs to.
    let relyingPartyHash: [UInt8]
    /// Whether somebody touched the device.
    let isUserPresent: Bool
    /// Whether the device looked who it is.
    let isUserVerified: Bool
    /// Whether the passkey may be copied to the owner's other devices, and whether it has been.
    let isBackupEligible, isBackedUp: Bool
    /// The number of uses that the device has counted; 0 where it does not count.
    let signCount: UInt32
    /// A new passkey; nil where one was used.
    let credential: Credential?

    /// Reads the bytes, which are all of it.
    ///
    /// - Throws: `malformed`, or `algorithm` for a key of a kind that the hub does not know.
    init(_ bytes: [UInt8]) throws(WebAuthnError) {
        guard bytes.count >= 37 else { throw .malformed }
        relyingPartyHash = Array(bytes[..<32])
        let flags = bytes[32]
        isUserPresent = flags & 0x01 != 0
        isUserVerified = flags & 0x04 != 0
        isBackupEligible = flags & 0x08 != 0
        isBackedUp = flags & 0x10 != 0
        signCount = bytes[33..<37].reduce(0) { $0 << 8 | UInt32($1) }
        var position = 37
        if flags & 0x40 != 0 {
            // The AAGUID of 16 bytes says the model, which is not kept: a household asks for none.
            guard bytes.count >= position + 18 else { throw .malformed }
            let length = Int(bytes[position + 16]) << 8 | Int(bytes[position + 17])
            let begin = position + 18
            guard (1...Self.longestID).contains(length), length <= bytes.count - begin else { throw .malformed }
            let end = try Self.endOfValue(bytes, from: begin + length).position
            let written = Array(bytes[begin + length..<end])
            credential = Credential(
                id: Array(bytes[begin..<begin + length]), publicKey: written, key: try COSEKey(written))
            position = end
        } else {
            credential = nil
        }
        if flags & 0x80 != 0 {
            let (extensions, end) = try Self.endOfValue(bytes, from: position)
            guard extensions.entries != nil else { throw .malformed }
            position = end
        }
        guard position == bytes.count else { throw .malformed }
    }

    private static func endOfValue(_ bytes: [UInt8], from position: Int) throws(WebAuthnError) -> (
        value: CBORValue, position: Int
    ) {
        var reader = CBORReader(bytes, from: position)
        do throws(CBORError) {
            let value = try reader.next()
            return (value, reader.position)
        } catch {
            throw .malformed
        }
    }
}
