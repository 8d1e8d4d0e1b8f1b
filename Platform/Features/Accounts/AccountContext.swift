import HubKit
import Storage

/// The accounts with what their pages say of the hub.
public struct AccountContext: Sendable {
    /// The address for a link that somebody is shown, such as behind a QR code, as another phone reaches it.
    public typealias Reachable = @Sendable (_ origin: String, _ source: RequestSource) -> String

    private let accounts: Accounts
    private let signIns: SignIns
    private let companions: [CompanionSummary]
    private let reachable: Reachable

    /// Creates the context.
    ///
    /// - Parameters:
    ///   - accounts: the accounts.
    ///   - companions: the companions that the hub was built with, in the order of the registry.
    ///   - reachable: makes of the hub's address, as a request has it, one that another phone reaches.
    public init(accounts: Accounts, companions: [CompanionSummary], reachable: @escaping Reachable) {
        self.accounts = accounts
        self.companions = companions
        signIns = SignIns(accounts: accounts, companions: companions)
        self.reachable = reachable
    }

    /// Signs in a person who has shown by something other than the password who they are, with a cookie for their page.
    ///
    /// - Parameter person: the person, as read when that was checked.
    /// - Throws: a 401 problem if the person has left or changed the password since.
    public func signIn(_ person: PersonRecord, _ request: APIRequest) async throws -> APIResponse<
        JSON<NewSignInResponse>
    > {
        try await signIns.signedIn(person, request, isBearer: false) { try .json($0) }
    }

    /// Adds the routes of accounts, sign-ins, the household and its people.
    public func addRoutes(to routes: Routes) {
        AccountRoutes(accounts: accounts, signIns: signIns).add(to: routes)
        ConfirmationRoutes(accounts: accounts, signIns: signIns).add(to: routes)
        FailedSignInRoutes(accounts: accounts).add(to: routes)
        HouseholdRoutes(accounts: accounts, signIns: signIns).add(to: routes)
        InvitationRoutes(accounts: accounts, reachable: reachable).add(to: routes)
        PasswordRoutes(accounts: accounts, signIns: signIns, reachable: reachable).add(to: routes)
        ReadTokenRoutes(accounts: accounts, companions: companions).add(to: routes)
    }
}
