import HTTPTypes
import HubKit

/// The routes of the original's server.
enum OriginalRoute: CaseIterable, Sendable {
    case register, signIn, history, report, nextFact, postVote, putVote

    var declaration: LegacyRoute {
        switch self {
        case .register: LegacyRoute(.post, "/User/Register", "The original’s sign-up: username, email, password.")
        case .signIn: LegacyRoute(.post, "/User/Login", "The original’s sign-in: email, password.")
        case .history: LegacyRoute(.get, "/User/History/{userID}", "What a user of the original has heard.")
        case .report:
            LegacyRoute(.get, "/User/History/{userID}/{count}", "An original toy reports that it played so many facts.")
        case .nextFact: LegacyRoute(.get, "/Trivia/{userID}", "The next fact for an original toy, as a JSON string.")
        case .postVote: LegacyRoute(.post, "/Trivia/Vote/{id}", "A vote of the original’s app.")
        case .putVote: LegacyRoute(.put, "/Trivia/Vote/{id}", "A vote of the original’s app.")
        }
    }

    init?(_ route: LegacyRoute) {
        guard let found = Self.allCases.first(where: { $0.declaration == route }) else { return nil }
        self = found
    }
}
