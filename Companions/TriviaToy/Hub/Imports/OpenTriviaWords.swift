import HubKit
import TriviaToyEngine

extension OpenTriviaResponse.Fault {
    /// The words for somebody who imports.
    var words: String {
        switch self {
        case .json: "This is no JSON, and so no answer of Open Trivia DB."
        case .notAResponse: "This is no answer of Open Trivia DB: it has no response_code or no results."
        case .wrongEncoding(let question):
            "Question \(question + 1) is written in another encoding than the one that was chosen."
        case .incomplete(let question): "Question \(question + 1) has no text, no answer or no difficulty."
        case .tooMany: "An answer of Open Trivia DB has at most \(OpenTriviaResponse.mostQuestions) questions."
        }
    }
}

extension OpenTriviaResponse.Code {
    /// The problem where there are no questions; nil for success.
    var problem: Problem? {
        switch self {
        case .success: nil
        case .tooFewQuestions:
            Problem.field("amount", "Open Trivia DB has not so many questions of this kind. Ask for fewer.")
        case .invalidParameter: Problem.field("amount", "Open Trivia DB did not understand the request.")
        case .tokenNotFound:
            Problem.field("token", "Open Trivia DB does not know this token any more. Ask without one, or for another.")
        case .tokenExhausted:
            Problem.field("token", "With this token Open Trivia DB has given out all questions of this kind. Reset it.")
        case .rateLimited:
            Problem(
                .tooManyRequests, "Too soon",
                "Open Trivia DB answers once in five seconds. Wait a little, then try again.",
                retryAfter: 5)
        case .unknown(let number):
            Problem.field("file", "Open Trivia DB answered with the code \(number), which nobody has explained.")
        }
    }
}

extension OpenTriviaResponse.Question {
    /// The question and its answer as a fact that can be spoken.
    var fields: FactFields {
        let (question, answer) = (
            String(decoding: question, as: UTF8.self), String(decoding: correctAnswer, as: UTF8.self)
        )
        let text: String
        if isBoolean {
            text = "True or false? \(question) That is \(answer.lowercased())."
        } else if question.lowercased().contains("of these") || question.lowercased().contains("of the following") {
            let choices = (incorrectAnswers + [correctAnswer]).map { String(decoding: $0, as: UTF8.self) }.sorted()
            text =
                "\(question) \(choices.dropLast().joined(separator: ", ")) or \(choices.last ?? "")? It is \(answer)."
        } else {
            text = "\(question) The answer is \(answer)."
        }
        return FactFields(
            text: text, category: CategoryName(number: Int(category.rawValue)).rawValue,
            difficulty: DifficultyName(number: Int(difficulty.rawValue)).rawValue, language: LanguageName.en.rawValue,
            // CC BY-SA 4.0 asks for it, wherever the fact is shown.
            source: "Open Trivia DB, CC BY-SA 4.0", url: "https://opentdb.com/")
    }
}
