import HTTPTypes
import HubKit
import TriviaToyEngine

/// A request for questions of Open Trivia DB: `api.php`, with base64 as the encoding that loses nothing.
struct OpenTriviaRequest: Decodable, Sendable {
    /// The hub's use of Open Trivia DB, with what that learns.
    static let use = OutboundUse(
        purpose: "trivia", title: "trivia questions",
        words: """
            Questions come from Open Trivia DB when an adult asks for some. It learns how many, of which category and how \
            hard, and this house’s address in the internet.
            """,
        hosts: [.name("opentdb.com")], callsAnHour: 60, answerBytes: 131_072)

    /// The number of questions, 1 to 50; ten where it is left out.
    var amount: Int?
    /// The category, one that Open Trivia DB has; all where it is left out.
    var category: CategoryName?
    /// The difficulty; all where it is left out.
    var difficulty: DifficultyName?

    /// The numbers of its categories, as `api_category.php` lists them; of several that are one here the first.
    private static let numbers: [CategoryName: Int] = [
        .general: 9, .books: 10, .filmAndTelevision: 11, .music: 12, .games: 15, .science: 17, .computers: 18,
        .numbers: 19, .mythology: 20, .sports: 21, .geography: 22, .history: 23, .politics: 24, .art: 25,
        .celebrities: 26, .animals: 27, .vehicles: 28, .inventions: 30,
    ]

    /// The address of the request.
    ///
    /// - Throws: a 422 problem for what it does not have.
    func address() throws(Problem) -> String {
        let amount = amount ?? 10
        guard (1...OpenTriviaResponse.mostQuestions).contains(amount) else {
            throw .field("amount", "Open Trivia DB gives 1 to \(OpenTriviaResponse.mostQuestions) questions at once.")
        }
        var address = "https://opentdb.com/api.php?amount=\(amount)&encode=base64"
        if let category {
            guard let number = Self.numbers[category] else {
                throw .field("category", "Open Trivia DB has no questions of this category.")
            }
            address += "&category=\(number)"
        }
        if let difficulty { address += "&difficulty=\(difficulty.rawValue)" }
        return address
    }

    /// Asks, and reads what comes.
    ///
    /// - Throws: a problem in words, whatever comes between.
    func send(_ hub: HubContext, household: String, _ limits: ToyLimits) async throws -> FactImport {
        let call = OutboundCall(
            household: household, url: try address(), purpose: Self.use.purpose, method: .get)
        let answer: OutboundAnswer
        do {
            answer = try await hub.outbound.send(call)
        } catch OutboundError.refused(let reason) {
            throw Problem(.conflict, "Not asked", "The hub did not ask Open Trivia DB: \(reason).")
        } catch OutboundError.tooMany(let seconds) {
            throw Problem(
                .tooManyRequests, "Too often",
                "The hub has asked Open Trivia DB often enough in this hour. Try again later.",
                retryAfter: seconds)
        } catch is OutboundError {
            throw Problem(
                .badGateway, "No answer",
                "Open Trivia DB cannot be reached right now. Nothing was stored. Try again later.")
        }
        if answer.status == 429, let problem = OpenTriviaResponse.Code.rateLimited.problem { throw problem }
        guard answer.status == 200, answer.isWhole else {
            throw Problem(
                .badGateway, "No answer",
                "Open Trivia DB answered with \(answer.status) and no questions. Nothing was stored. Try again later.")
        }
        return try FactImport.openTrivia(answer.body, encoding: .base64, limits)
    }
}
