import HubKit
import Localization

/// Days in few words, for charts and tables.
extension Localizer {
    /// A day, such as `26 Oct`.
    func day(_ day: Int32) -> String { string(CivilDate(day: day).shortText) }

    /// A range of days, such as `2–8 Nov` or `26 Oct–1 Nov`; a single day as it is.
    func days(_ days: ClosedRange<Int32>) -> String {
        let (first, last) = (CivilDate(day: days.lowerBound), CivilDate(day: days.upperBound))
        if first == last { return day(first.day) }
        let localized = self
        return first.month == last.month && first.year == last.year
            ? localized("\(String(first.dayOfMonth))–\(last.shortText)") : "\(day(first.day))–\(day(last.day))"
    }

    /// A range of dates, such as `26 October to 21 November 2026`, with years where they differ.
    func dates(_ days: ClosedRange<Int32>) -> String {
        let (first, last) = (CivilDate(day: days.lowerBound), CivilDate(day: days.upperBound))
        if first == last { return string(last.dateText) }
        let localized = self
        return localized("\(first.year == last.year ? first.dayAndMonth : first.dateText) to \(last.dateText)")
    }

    /// A number of days, such as `one day` or `17 days`.
    func count(days: Int) -> String {
        let localized = self
        return localized("\(spelled: days) days")
    }

    /// A number of songs, such as `one song` or `17 songs`.
    func count(songs: Int) -> String {
        let localized = self
        return localized("\(spelled: songs) songs")
    }

    /// A number of minutes, such as `less than a minute`, `one minute` or `17 minutes`.
    func count(minutes: Int) -> String {
        let localized = self
        return minutes == 0 ? localized("less than a minute") : localized("\(minutes) minutes")
    }
}
