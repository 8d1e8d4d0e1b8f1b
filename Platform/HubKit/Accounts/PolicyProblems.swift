import Storage

/// The problems that the access policy answers with.
extension Problem {
    /// The problem of a caller who is not signed in: status 401.
    package static let signInFirst = Problem(.unauthorized, "Not signed in", "Sign in first.")

    /// The problem of a child's profile where an adult's is needed: status 403.
    public static let adultsOnly = Problem(.forbidden, "For grown-ups", "An adult of the household can do this.")

    /// The problem of a program that asks for something else than it was let in for: status 403.
    package static let notGranted = Problem(
        .forbidden, "Not for this program",
        "This token reads what an adult chose for it, and nothing else. An adult can make another in Settings.")

    /// The type of the problem that goes away when the password is typed, so that a page can ask for it (RFC 9457,
    /// 3.1.1: a URI relative to the hub's address).
    static let passwordNeededType = "/problems/password-needed"

    /// The problem of an adult's profile on a shared device where the password has not been typed in the last minutes:
    /// status 403.
    public static let passwordNeeded: Problem = {
        var problem = Problem(
            .forbidden, "Password needed",
            "This device is shared by the family. Type your password to go on.")
        problem.type = passwordNeededType
        return problem
    }()
}

extension Policy {
    /// Checks that `member` may see the personal data of `person`.
    ///
    /// - Parameter now: the current time, in UTC milliseconds.
    /// - Throws: a 403 problem otherwise.
    public func checkReading(_ member: Member, of person: PersonRecord, now: Int64) throws(Problem) {
        guard !allowsViewing(member, of: person, now: now) else { return }
        guard !needsPassword(member, now: now) else { throw .passwordNeeded }
        throw Problem(
            .forbidden, "Somebody else’s", "\(person.name) and the adults of the household can look at this.")
    }

    /// Checks that `member` may put `person`'s name to what a page writes down.
    ///
    /// - Throws: a 403 problem otherwise.
    public func checkName(_ member: Member, of person: PersonRecord) throws(Problem) {
        guard !allowsName(member, of: person) else { return }
        throw Problem(
            .forbidden, "Not yours",
            "On this profile nothing is written down in the name of \(person.name). An adult can do it, or \(person.name)."
        )
    }

    /// Checks that `member` may change the settings of a companion for `person`.
    ///
    /// - Parameters:
    ///   - now: the current time, in UTC milliseconds.
    ///   - otherwise: the problem for a child's profile; nil for the usual one.
    /// - Throws: a 403 problem otherwise.
    public func checkSettings(_ member: Member, of person: PersonRecord, now: Int64, otherwise: Problem? = nil)
        throws(Problem)
    {
        guard !allowsSettings(member, of: person, now: now) else { return }
        guard !needsPassword(member, now: now) else { throw .passwordNeeded }
        if let otherwise { throw otherwise }
        guard person.role == .child else { throw .adultsOnly }
        throw Problem(
            .forbidden, "For grown-ups", "An adult of the household can do this. So can \(person.name).")
    }

    /// Checks that `member` is an adult, for a decision within a route that is open to everyone of the household.
    ///
    /// - Parameters:
    ///   - now: the current time, in UTC milliseconds.
    ///   - rejection: the problem for a child's profile.
    /// - Throws: a 403 problem otherwise.
    public func checkAdult(_ member: Member, now: Int64, _ rejection: @autoclosure () -> Problem = .adultsOnly)
        throws(Problem)
    {
        switch decision(.person(member), .adult, now: now) {
        case .allowed: return
        case .passwordNeeded: throw .passwordNeeded
        case .notGranted: throw .notGranted
        case .adultsOnly, .signInFirst: throw rejection()
        }
    }
}
