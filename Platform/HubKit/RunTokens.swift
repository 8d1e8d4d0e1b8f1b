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

    func holds(_ token: String, for device: String) -> Bool { tokens.withLock { $0[device] == token } }
}
