import HubKit
import Localization
import Storage
import Testing

@testable import DrumsHub

@Suite("Reminders of practice")
struct PracticeReminderTests {
    private func text(left: Int?, planned: Int?, hasPlayed: Bool = false) -> PracticeReminderText {
        PracticeReminderText(
            name: "Mila", person: "mila", leftMinutes: left, plannedMinutes: planned, hasPlayed: hasPlayed)
    }

    @Test("It says what is left of the week’s plan")
    func left() {
        let said = text(left: 28, planned: 90).text(in: .english)
        #expect(said.title == "Mila, time for the drums")
        #expect(said.body == "28 of this week’s 90 minutes are left.")
        #expect(said.path == "/drums?person=mila")
        #expect(
            text(left: 28, planned: 90).text(in: Language("de")).body == "Diese Woche fehlen noch 28 von 90 Minuten.")
    }

    @Test("What was practised that day, and a week that is done, want nothing more")
    func done() {
        #expect(!text(left: 28, planned: 90).isDone)
        #expect(text(left: 28, planned: 90, hasPlayed: true).isDone)
        #expect(text(left: 0, planned: 90).isDone)
    }

    @Test("Without a plan it is silent, with one it speaks, and who tries it hears it either way")
    func plan() async throws {
        let app = try await DrumsTestApp()
        func said(needsText: Bool = false) async throws -> ReminderText? {
            let person = try await app.person("mila")
            return try await app.companion.reminderText(
                DueReminder(
                    id: "r", name: "practice", person: person, at: app.now,
                    day: LocalCalendar(timeZone: .gmt).moment(of: app.now).day, minute: 1_020, needsText: needsText))
        }
        #expect(try await said() == nil)
        #expect(try await said(needsText: true)?.body == "Choose a song and play.")
        let answer = try await app.send(
            .put, "/api/drums/people/mila/plan", #"{"setBy":"Ms Okafor","minutesPerWeek":90}"#)
        #expect(answer.status == 200)
        #expect(try await said()?.body.contains("of this week’s") == true)
    }
}
