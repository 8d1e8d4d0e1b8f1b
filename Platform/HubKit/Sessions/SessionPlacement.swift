import Foundation
import Storage

/// The decision where a delivered session is stored, made before the transaction.
///
/// If two devices continued the same session, nothing of either is lost: the second one is stored as a branch, under an
/// id made of the old id and its content, so that it is stored once however often it is delivered.
enum SessionPlacement<Session: Sendable>: Sendable {
    /// The session is stored already, under this id.
    case again(String, isBranch: Bool)
    /// The session is part of another device's active one, so nothing is stored.
    case active
    /// The session is stored under its id, in place of any earlier one.
    case store(Session, SessionBranchRecord?)

    /// Decides about a session.
    ///
    /// - Throws: a 409 problem if its id belongs to a session with another beginning.
    init<Definition: SessionDefinition>(
        of session: Session, in family: SessionFamily<Definition>, household: String, _ definition: Definition
    ) throws where Definition.Session == Session {
        let root = definition.origin(of: session).id
        let content = definition.content(of: session)
        if let active = family.first(.active), let known = active.session {
            switch definition.relation(of: session, to: known, as: .active) {
            case .extends: break
            case .contained:
                self = .active
                return
            case .unrelated: throw definition.messages.diverged
            case .diverged(let common):
                self = try Self.branch(session, of: (root, common), in: family, household, definition)
                return
            }
        }
        guard let stored = family.first(.stored), let record = stored.record else {
            self = .store(session, nil)
            return
        }
        guard record.companion == Definition.companion else { throw Sessions.other }
        guard stored.content != content else {
            self = .again(root, isBranch: false)
            return
        }
        guard record.person == definition.origin(of: session).person, let known = stored.session else {
            throw Sessions.other
        }
        switch definition.relation(of: session, to: known, as: .stored) {
        case .unrelated: throw Sessions.other
        case .contained: self = .again(root, isBranch: false)
        case .extends: self = .store(session, nil)
        case .diverged(let common):
            self = try Self.branch(session, of: (root, common), in: family, household, definition)
        }
    }

    /// The decision about a session that differs from a known one: it is compared with the branches too, since one of
    /// them may be an earlier delivery of the same.
    private static func branch<Definition: SessionDefinition>(
        _ session: Session, of known: (id: String, common: Int), in family: SessionFamily<Definition>, _ household: String,
        _ definition: Definition
    ) throws -> Self where Definition.Session == Session {
        var shared: [(id: String, common: Int)] = []
        for other in family.known {
            guard let branch = other.branch, let stored = other.session else { continue }
            switch definition.relation(of: session, to: stored, as: .branch) {
            case .unrelated: continue
            case .contained: return .again(other.id, isBranch: true)
            case .extends: return .store(try definition.identified(session, as: other.id), branch)
            case .diverged(let common): shared.append((other.id, common))
            }
        }
        let most = (shared + [known]).max { $0.common < $1.common } ?? known
        let root = known.id
        let digest = SessionOrigin.identifier(
            of: [root, SessionOrigin.name(of: definition.content(of: session))], count: root.utf8.count / 2)
        let id = SessionOrigin.name(of: digest)
        return .store(
            try definition.identified(session, as: id),
            SessionBranchRecord(household: household, id: id, root: root, of: most.id, common: most.common))
    }
}
