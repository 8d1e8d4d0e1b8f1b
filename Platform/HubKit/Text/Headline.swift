import Localization

/// The words of a companion about all that it knows of a household: a headline, and the one or two things more that matter.
public protocol HeadlineText {
    /// Whole sentences; none where there is nothing to say before all else.
    var headline: [LocalizedText] { get }
    /// The sentences below it.
    var lead: [LocalizedText] { get }
    /// The importance of the headline among those of the other companions.
    var weight: HeadlineWeight { get }
}

/// A companion's headline as its overview answers it, for Today and for its own first screen.
public struct HeadlineResponse: Codable, Sendable, Equatable {
    /// The headline; empty where there is nothing to say before all else.
    public var text: String
    /// The sentences below it.
    public var lead: String
    /// The importance of the headline on Today: the number of a ``HeadlineWeight``.
    public var weight: Int

    /// Says the words in the language of whoever reads them.
    public init(_ words: some HeadlineText, in localized: Localizer) {
        text = localized.string(words.headline)
        lead = localized.string(words.lead)
        weight = words.weight.rawValue
    }
}
