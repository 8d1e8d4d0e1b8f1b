import Synchronization

/// Tokens of devices that are valid during one run of the hub.
public final class EphemeralDeviceTokens: Sendable {
    private let tokens = Mutex<[String: String]>([:])

    /// The token of a device, created at the first call.
    public func token(for device: String) -> String {
        tokens.withLock { tokens in
            if let token = tokens[device] { return token }
            let token = Secret.token()
            tokens[device] = token
            return token
        }
    }

    /// Whether a token is the device's. The comparison takes the same time wherever the tokens differ.
    package func holds(_ token: String, for device: String) -> Bool {
        guard let expected = tokens.withLock({ $0[device] }) else { return false }
        return Secret.areEqual(Secret.hash(expected), Secret.hash(token))
    }
}
