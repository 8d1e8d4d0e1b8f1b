import Localization

/// Dates as texts for people.
extension CivilDate {
    /// The day of the week, such as `Tuesday`.
    public var weekdayText: LocalizedText {
        switch weekday {
        case 1: LocalizedText("Monday")
        case 2: LocalizedText("Tuesday")
        case 3: LocalizedText("Wednesday")
        case 4: LocalizedText("Thursday")
        case 5: LocalizedText("Friday")
        case 6: LocalizedText("Saturday")
        default: LocalizedText("Sunday")
        }
    }

    /// The day and month, such as `2 December`, with the year if another could be meant, seen from `today`.
    public func text(from today: CivilDate) -> LocalizedText {
        let text = dayAndMonth
        return year == today.year || abs(day - today.day) < 180 ? text : LocalizedText("\(text) \(String(year))")
    }

    /// The whole date, such as `2 December 2026`.
    public var dateText: LocalizedText { LocalizedText("\(dayAndMonth) \(String(year))") }

    /// The day of the week in short, such as `Tue`.
    public var shortWeekdayText: LocalizedText {
        switch weekday {
        case 1: LocalizedText("Mon")
        case 2: LocalizedText("Tue")
        case 3: LocalizedText("Wed")
        case 4: LocalizedText("Thu")
        case 5: LocalizedText("Fri")
        case 6: LocalizedText("Sat")
        default: LocalizedText("Sun")
        }
    }

    /// The day and month in short, such as `2 Dec`.
    public var shortText: LocalizedText {
        let day = String(dayOfMonth)
        return switch month {
        case 1: LocalizedText("\(day) Jan")
        case 2: LocalizedText("\(day) Feb")
        case 3: LocalizedText("\(day) Mar")
        case 4: LocalizedText("\(day) Apr")
        case 5: LocalizedText("\(day) May")
        case 6: LocalizedText("\(day) Jun")
        case 7: LocalizedText("\(day) Jul")
        case 8: LocalizedText("\(day) Aug")
        case 9: LocalizedText("\(day) Sep")
        case 10: LocalizedText("\(day) Oct")
        case 11: LocalizedText("\(day) Nov")
        default: LocalizedText("\(day) Dec")
        }
    }

    /// The day and month, such as `2 December`.
    public var dayAndMonth: LocalizedText {
        let day = String(dayOfMonth)
        return switch month {
        case 1: LocalizedText("\(day) January")
        case 2: LocalizedText("\(day) February")
        case 3: LocalizedText("\(day) March")
        case 4: LocalizedText("\(day) April")
        case 5: LocalizedText("\(day) May")
        case 6: LocalizedText("\(day) June")
        case 7: LocalizedText("\(day) July")
        case 8: LocalizedText("\(day) August")
        case 9: LocalizedText("\(day) September")
        case 10: LocalizedText("\(day) October")
        case 11: LocalizedText("\(day) November")
        default: LocalizedText("\(day) December")
        }
    }
}
