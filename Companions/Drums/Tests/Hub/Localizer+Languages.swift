import Localization

@testable import DrumsHub

extension Localizer {
    static let english = Localizer(.english, from: .drums)
    static let german = Localizer(Language("de"), from: .drums)
}
