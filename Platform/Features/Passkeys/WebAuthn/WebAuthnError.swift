/// The reason why what an authenticator and its browser sent opens nothing.
enum WebAuthnError: Error, Equatable {
    /// The bytes are not what they should be.
    case malformed
    /// The answer is to another kind of question: a key was made instead of used, or the other way round.
    case type
    /// The challenge is none that the hub has made for this, or was answered before, or too late.
    case challenge
    /// The page was another's, or within another's page.
    case origin
    /// The passkey belongs to another name than the one that the hub was opened by.
    case relyingParty
    /// The device was touched by nobody.
    case userPresence
    /// The device did not look whether it is its owner.
    case userVerification
    /// The device says of a copy what cannot be.
    case backup
    /// The key is of a kind that the hub did not ask for.
    case algorithm
    /// The attestation that the key made of itself is wrong.
    case attestation
    /// The signature is another key's, or of something else.
    case signature
    /// The credential is somebody else's than the device says.
    case user
    /// The counter of the device has not gone on: there may be a copy of it.
    case counter
}
