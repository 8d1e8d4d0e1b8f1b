import GRDB
import TriviaToyEngine

/// A fact, as a page shows it.
struct FactResponse: Codable {
    var id: Int64
    var text: String
    var language: LanguageName
    var category: CategoryName
    var difficulty: DifficultyName
    /// The youngest age in years that hears it.
    var youngestAge: Int
    var origin: FactRecord.Origin
    /// The title of the place where it can be read up, to be shown with it.
    var sourceTitle: String
    var sourceURL: String?
    /// The votes of everybody.
    var upvotes, downvotes: Int
    /// The vote of the one who asks: 1, -1, or 0 for none.
    var vote: Int

    init(_ fact: FactRecord, vote: FactVote) {
        id = fact.id
        text = fact.text
        language = fact.language
        category = CategoryName(number: fact.category)
        difficulty = DifficultyName(number: fact.difficulty)
        youngestAge = fact.youngestAge
        origin = fact.origin
        sourceTitle = fact.sourceTitle
        sourceURL = fact.sourceUrl
        upvotes = fact.upvotes
        downvotes = fact.downvotes
        self.vote = Int(vote.rawValue)
    }
}
