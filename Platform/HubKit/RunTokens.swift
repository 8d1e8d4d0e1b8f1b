import Synchronization

/// Tokens that hold for one run of the hub.
public final class RunTokens: Sendable {
    private let tokens = Mutex<[String: String]>([:])

    /// The token of a device for this run, made at the first call.
    public func token(for device: String) -> String {
        tokens.withLock { tokens in
            if let token = tokens[device] { return token }
            let token = Secret.token()
            tokens[device] = token
            return token
        }
    }

    /// Whether a token is the device's, in a time that does not tell where it differs.
    package func holds(_ token: String, for device: String) -> Bool {
        guard let expected = tokens.withLock({ $0[device] }) else { return false }
        return Secret.areEqual(Secret.hash(expected), Secret.hash(token))
    }
}
