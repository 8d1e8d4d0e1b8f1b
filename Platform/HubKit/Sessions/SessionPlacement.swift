import Foundation
import Storage

/// Where a session that was delivered is stored, decided before the transaction that does it.
///
/// Where two devices went on with one session, nothing of either is lost, finished or not: the one that comes second is
/// stored under an id of its own, made of its old id and its content, so that it is stored once however often it comes.
enum SessionPlacement<Session: Sendable>: Sendable {
    /// It is stored already, under this id.
    case again(String, isBranch: Bool)
    /// All of it is in what another device goes on with: nothing is stored, and nothing is missing.
    case active
    /// It is stored, in place of what has its id.
    case store(Session, SessionBranchRecord?)

    /// - Throws: a 409 problem where its id is that of a session that it does not share its beginning with.
    init<Format: SessionFormat>(
        of session: Session, in family: SessionFamily<Format>, household: String, _ format: Format
    ) throws where Format.Session == Session {
        let root = format.origin(of: session).id
        let content = format.content(of: session)
        if let active = family.first(.active), let known = active.session {
            switch format.relation(of: session, to: known, as: .active) {
            case .extends: break
            case .contained:
                self = .active
                return
            case .unrelated: throw format.messages.diverged
            case .diverged(let common):
                self = try Self.branch(session, of: (root, common), in: family, household, format)
                return
            }
        }
        guard let stored = family.first(.stored), let record = stored.record else {
            self = .store(session, nil)
            return
        }
        guard record.companion == Format.companion else { throw Sessions.other }
        guard stored.content != content else {
            self = .again(root, isBranch: false)
            return
        }
        guard record.person == format.origin(of: session).person, let known = stored.session else {
            throw Sessions.other
        }
        switch format.relation(of: session, to: known, as: .stored) {
        case .unrelated: throw Sessions.other
        case .contained: self = .again(root, isBranch: false)
        case .extends: self = .store(session, nil)
        case .diverged(let common):
            self = try Self.branch(session, of: (root, common), in: family, household, format)
        }
    }

    /// Beside those that it shares its beginning with, the branches that are stored among them: one of these may be an
    /// earlier delivery of this very one.
    private static func branch<Format: SessionFormat>(
        _ session: Session, of known: (id: String, common: Int), in family: SessionFamily<Format>, _ household: String,
        _ format: Format
    ) throws -> Self where Format.Session == Session {
        var shared: [(id: String, common: Int)] = []
        for other in family.known {
            guard let branch = other.branch, let stored = other.session else { continue }
            switch format.relation(of: session, to: stored, as: .branch) {
            case .unrelated: continue
            case .contained: return .again(other.id, isBranch: true)
            case .extends: return .store(try format.identified(session, as: other.id), branch)
            case .diverged(let common): shared.append((other.id, common))
            }
        }
        let most = (shared + [known]).max { $0.common < $1.common } ?? known
        let root = known.id
        let digest = SessionOrigin.identifier(
            of: [root, SessionOrigin.name(of: format.content(of: session))], count: root.utf8.count / 2)
        let id = SessionOrigin.name(of: digest)
        return .store(
            try format.identified(session, as: id),
            SessionBranchRecord(household: household, id: id, root: root, of: most.id, common: most.common))
    }
}
