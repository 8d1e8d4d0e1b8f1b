import HubKit
import Localization

/// The state of the lab in a sentence: the first that holds.
struct LabOverviewText: HeadlineText {
    let headline: [LocalizedText]
    let lead: [LocalizedText]
    let weight: HeadlineWeight

    init(openClass: (name: String, guests: Int, isMeasuring: Bool)?, hasRecorded: Bool) {
        if let openClass {
            headline = [
                openClass.isMeasuring
                    ? LocalizedText("\(openClass.name) is measuring.") : LocalizedText("\(openClass.name) is open.")
            ]
            lead = [
                openClass.guests == 0
                    ? LocalizedText("Nobody is in it yet.")
                    : LocalizedText("\(openClass.guests) phones are in the class.")
            ]
            weight = openClass.isMeasuring ? .due : .look
        } else {
            headline = []
            lead = [
                hasRecorded
                    ? LocalizedText("Measure something: how fast it turns, how it falls, how high it is.")
                    : LocalizedText("A phone is full of sensors. Measure something with this one.")
            ]
            weight = .nothing
        }
    }
}
