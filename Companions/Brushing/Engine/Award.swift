/// An award for regular brushing, given once. The numbers are those of the page and of the database.
///
/// Great Teeth gave one for the first session and for 14, 28 and 56 sessions in a row, of which the last two could
/// never be reached. Here a streak is of days, as many as those are at two sessions a day.
public enum Award: UInt8, Sendable, CaseIterable {
    /// The first session that counts.
    case first = 1
    /// Seven days in a row.
    case week = 2
    /// Fourteen.
    case twoWeeks = 3
    /// Twenty-eight.
    case month = 4
    /// A hundred.
    case hundredDays = 5
    /// Three hundred and sixty-five.
    case year = 6
    /// Fifty sessions.
    case fifty = 11
    /// A hundred sessions.
    case hundred = 12
    /// Two hundred.
    case twoHundred = 13
    /// Five hundred.
    case fiveHundred = 14
    /// A thousand.
    case thousand = 15
    /// Two thousand.
    case twoThousand = 16

    /// The award's name in messages.
    public var name: StaticString {
        switch self {
        case .first: "first"
        case .week: "week"
        case .twoWeeks: "two-weeks"
        case .month: "month"
        case .hundredDays: "hundred-days"
        case .year: "year"
        case .fifty: "50"
        case .hundred: "100"
        case .twoHundred: "200"
        case .fiveHundred: "500"
        case .thousand: "1000"
        case .twoThousand: "2000"
        }
    }

    /// The days in a row that it is for; nil for others.
    public var days: Int? {
        switch self {
        case .week: 7
        case .twoWeeks: 14
        case .month: 28
        case .hundredDays: 100
        case .year: 365
        default: nil
        }
    }

    /// The sessions that it is for; nil for others.
    public var sessions: Int? {
        switch self {
        case .first: 1
        case .fifty: 50
        case .hundred: 100
        case .twoHundred: 200
        case .fiveHundred: 500
        case .thousand: 1_000
        case .twoThousand: 2_000
        default: nil
        }
    }

    /// The award before it in rank; the highest is the last.
    var lower: Award? {
        switch self {
        case .first: nil
        case .fifty: .year
        default: Award(rawValue: rawValue - 1)
        }
    }
}

/// The index of the tip for a person after some number of sessions: a different one each time, until all were shown.
///
/// - Returns: 0 ..< `count`; 0 if there are none.
public func tipIndex(sessions: Int, of count: Int) -> Int {
    count > 0 ? max(sessions, 0) % count : 0
}
