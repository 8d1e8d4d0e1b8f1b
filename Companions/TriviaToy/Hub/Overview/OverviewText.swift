import HubKit
import Localization

/// The state of the toys in a sentence: the first that holds.
struct OverviewText: HeadlineText {
    let headline, lead: [LocalizedText]
    let weight: HeadlineWeight

    init(toys: [ToyResponse], heardToday: Int, hasHeard: Bool) {
        let today =
            heardToday == 0
            ? LocalizedText("Nobody has heard a fact today yet.") : LocalizedText("\(heardToday) facts heard today.")
        if let toy = toys.first(where: { $0.twin != nil }) {
            headline = [LocalizedText("There may be two of \(toy.name).")]
            lead = [LocalizedText("Look at it below: nothing was lost.")]
            weight = .look
        } else if let toy = toys.first(where: { !$0.faults.isEmpty }) {
            headline = [LocalizedText("\(toy.name) needs a look.")]
            lead = [today]
            weight = .look
        } else if let toy = toys.first(where: { $0.battery?.isLow == true }) {
            headline = [LocalizedText("\(toy.name) wants charging.")]
            lead = [today]
            weight = .due
        } else if heardToday > 0 {
            headline = [today]
            lead = [LocalizedText("Each one is new until all were heard.")]
            weight = .well
        } else if hasHeard {
            headline = [today]
            lead = [LocalizedText("Throw the toy, or ask for one here.")]
            weight = .well
        } else {
            headline = [LocalizedText("Ready for the first fact.")]
            lead = [LocalizedText("Here on the page, or from a toy that is thrown.")]
            weight = .nothing
        }
    }
}
