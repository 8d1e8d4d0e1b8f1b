import Storage

/// What is said to somebody whom the policy refuses.
extension Problem {
    package static let signInFirst = Problem(.unauthorized, "Not signed in", "Sign in first.")

    /// A child uses the page.
    public static let adultsOnly = Problem(.forbidden, "For grown-ups", "An adult of the household can do this.")

    /// The kind of problem that goes away when ``ConfirmationRoutes`` have been given the password, for a page that asks
    /// for it (RFC 9457, 3.1.1: relative to the hub's own address).
    static let passwordNeededType = "/problems/password-needed"

    /// An adult may, and whoever holds this shared device has yet to show to be one.
    public static let passwordNeeded: Problem = {
        var problem = Problem(
            .forbidden, "Password needed",
            "This device is shared by the family. Type your password to go on.")
        problem.type = passwordNeededType
        return problem
    }()
}

extension Policy {
    /// - Throws: a 403 problem in words for somebody who may not see what is `person`'s own.
    public func checkReading(_ member: Member, of person: PersonRecord, now: Int64) throws(Problem) {
        guard !allowsReading(member, of: person, now: now) else { return }
        guard !needsPassword(member, now: now) else { throw .passwordNeeded }
        throw Problem(
            .forbidden, "Somebody else’s", "\(person.name) and the adults of the household can look at this.")
    }

    /// - Parameter otherwise: what is said to a child; nil for the usual.
    /// - Throws: a 403 problem in words for somebody who may not decide how a companion serves `person`.
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

    /// For what an adult alone decides within a route that is for all.
    ///
    /// - Throws: a 403 problem in words.
    public func checkAdult(_ member: Member, now: Int64, _ rejection: @autoclosure () -> Problem = .adultsOnly)
        throws(Problem)
    {
        switch decision(.person(member), .adult, now: now) {
        case .allowed: return
        case .passwordNeeded: throw .passwordNeeded
        case .adultsOnly, .signInFirst: throw rejection()
        }
    }
}
