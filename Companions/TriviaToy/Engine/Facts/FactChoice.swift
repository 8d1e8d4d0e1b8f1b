/// The properties of a fact by which the next one is chosen: the columns of a table, so that SQL chooses the same.
public struct FactCandidate: Equatable, Sendable {
    /// The fact's number.
    public var id: UInt32
    /// The category.
    public var category: FactCategory
    /// The youngest age in years that hears it.
    public var youngestAge: UInt8
    /// The number of votes for it, by everyone.
    public var upvotes: UInt32
    /// The number of votes against it, by everyone.
    public var downvotes: UInt32
    /// The time at which the child last heard it, in milliseconds since 1970; nil for never.
    public var heardAt: Int64?

    /// Creates a candidate.
    public init(
        id: UInt32, category: FactCategory, youngestAge: UInt8 = 0, upvotes: UInt32 = 0, downvotes: UInt32 = 0,
        heardAt: Int64? = nil
    ) {
        self.id = id
        self.category = category
        self.youngestAge = youngestAge
        self.upvotes = upvotes
        self.downvotes = downvotes
        self.heardAt = heardAt
    }

    /// The rank by votes, 0...1000: the mean of its votes and of two more, one for and one against, so that a single
    /// vote does not put a fact at the top. 500 without votes.
    ///
    /// Integers, so that SQL's `(upvotes + 1) * 1000 / (upvotes + downvotes + 2)` is the same number.
    public var rank: Int64 {
        (Int64(upvotes) + 1) * 1_000 / (Int64(upvotes) + Int64(downvotes) + 2)
    }

    /// The order among facts with the same rank, which mixes categories and sources: a fixed number of the id.
    ///
    /// Multiplicative hashing (Knuth, volume 3, section 6.4) by 2654435761 modulo 2^32, which is one to one. In SQL `id
    /// * 2654435761 & 4294967295`; ids of up to 31 bits do not overflow its 64.
    public var shuffle: UInt32 { id &* 2_654_435_761 }
}

/// The choice of the next fact for a child.
///
/// Among facts of the chosen categories and for the child's age, those never heard come first, better-voted ones
/// sooner; when all were heard, the one heard longest ago. As SQL, with an index over `(rank DESC, shuffle)`:
///
/// ```sql
/// SELECT id FROM fact WHERE :categories >> category & 1 AND youngest_age <= :age
///   AND NOT EXISTS (SELECT 1 FROM heard WHERE heard.child = :child AND heard.fact = fact.id)
/// ORDER BY rank DESC, shuffle LIMIT 1;
/// -- and only if there is none:
/// SELECT fact.id FROM heard JOIN fact ON fact.id = heard.fact WHERE heard.child = :child AND ...
/// ORDER BY heard.at, rank DESC, shuffle LIMIT 1;
/// ```
public struct FactChoice: Equatable, Sendable {
    /// The chosen categories.
    public var categories: FactCategories
    /// The child's age in years.
    public var age: UInt8

    /// Creates a choice for a child.
    public init(categories: FactCategories = .all, age: UInt8) {
        self.categories = categories
        self.age = age
    }

    /// Whether a fact is for this child at all.
    public func allows(_ fact: FactCandidate) -> Bool {
        categories.contains(fact.category) && fact.youngestAge <= age
    }

    /// Whether `first` is told before `second`: a strict total order of facts with different ids.
    public func precedes(_ first: FactCandidate, _ second: FactCandidate) -> Bool {
        switch (first.heardAt, second.heardAt) {
        case (nil, _?): return true
        case (_?, nil): return false
        case (let one?, let other?) where one != other: return one < other
        default: break
        }
        if first.rank != second.rank { return first.rank > second.rank }
        return first.shuffle < second.shuffle
    }

    /// The next fact; nil if there is none for this child.
    public func next(of facts: some Sequence<FactCandidate>) -> FactCandidate? {
        var best: FactCandidate?
        for fact in facts where allows(fact) {
            if let current = best, !precedes(fact, current) { continue }
            best = fact
        }
        return best
    }
}
