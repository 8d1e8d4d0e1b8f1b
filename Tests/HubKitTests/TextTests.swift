import HubKit
import HubServer
import Testing

@Suite("Words for dates and numbers")
struct TextTests {
    @Test(
        "A date is told with its year where another could be meant",
        arguments: [
            ("2026-12-02", "Wednesday", "2 December"), ("2027-05-18", "Tuesday", "18 May"),
            ("2027-05-19", "Wednesday", "19 May 2027"), ("2026-01-01", "Thursday", "1 January"),
            ("2025-12-31", "Wednesday", "31 December 2025"), ("2028-02-29", "Tuesday", "29 February 2028"),
        ])
    func dates(text: String, weekday: String, words: String) throws {
        let date = try #require(CivilDate(text))
        let today = try #require(CivilDate("2026-11-20"))
        #expect(date.weekdayText.english == weekday)
        #expect(date.text(from: today).english == words)
    }

    @Test("A time of day has no nought before its hour", arguments: [(0, "0:00"), (425, "7:05"), (1_439, "23:59")])
    func times(minute: Int32, words: String) { #expect(LocalCalendar.timeOfDay(minute: minute) == words) }

    @Test("Small numbers are words", arguments: [(0, "no"), (1, "one"), (12, "twelve"), (13, "13"), (-1, "-1")])
    func numbers(number: Int, words: String) { #expect(number.spelled == words) }

    @Test(
        "Names stand in a row",
        arguments: [
            ([], ""), (["Mila"], "Mila"), (["Mila", "Theo"], "Mila and Theo"),
            (["Mila", "Theo", "Ines"], "Mila, Theo and Ines"),
        ])
    func lists(names: [String], words: String) { #expect(names.listed == words) }

    @Test(
        "A sentence begins with a capital, and the rest stays",
        arguments: [("the fern", "The fern"), ("", ""), ("élan", "Élan"), ("iPad", "IPad")])
    func capitals(text: String, words: String) { #expect(text.capitalizedFirst == words) }
}
