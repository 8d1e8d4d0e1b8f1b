import Accounts
import HubKit

/// The passkeys with the accounts that they open.
public struct PasskeyContext: Sendable {
    private let passkeys: Passkeys
    private let accounts: AccountContext

    /// Creates the context.
    public init(passkeys: Passkeys, accounts: AccountContext) {
        self.passkeys = passkeys
        self.accounts = accounts
    }

    /// Adds the routes of passkeys.
    public func addRoutes(to routes: Routes) { PasskeyRoutes(passkeys: passkeys, context: accounts).add(to: routes) }
}
