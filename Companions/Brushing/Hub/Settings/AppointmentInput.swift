import Foundation
import HubKit

/// An appointment as requests give it.
struct AppointmentInput: Decodable, Sendable, RefusesControls {
    var title: String
    /// The day, such as `2026-12-02`.
    var day: String
    /// The minute of that day, 0 to 1,439, by the person's clock.
    var minute: Int
    var note: String?

    /// The most characters of a title.
    static let longestTitle = 60
    static let longestNote = 500
    /// A phone that was away for weeks may tell late of one that has been.
    static let daysBack: Int32 = 31
    private static let daysAhead: Int32 = 3 * 366

    /// Checks the input, and makes the appointment.
    ///
    /// - Throws: a 422 problem for what cannot be taken.
    func checked(id: String, of subject: Subject) throws -> Appointment {
        let title = title.trimmingCharacters(in: .whitespacesAndNewlines)
        guard !title.isEmpty, title.count <= Self.longestTitle, !title.contains(where: \.isControl) else {
            throw Problem.field(
                "title", "An appointment has a title of at most \(Self.longestTitle) characters, such as Dentist.")
        }
        let day = try DayInput.day(day)
        guard day >= subject.today - Self.daysBack else {
            throw Problem.field("day", "That was more than a month ago. An appointment lies ahead.")
        }
        guard day <= subject.today + Self.daysAhead else {
            throw Problem.field("day", "That is more than three years ahead. Look at the year.")
        }
        guard (0..<1_440).contains(minute) else {
            throw Problem.field("minute", "A time of day is a number of minutes from 0 to 1439: 15:00 is 900.")
        }
        let note = note?.trimmingCharacters(in: .whitespacesAndNewlines)
        guard (note?.count ?? 0) <= Self.longestNote,
            note?.contains(where: { $0.isControl && !$0.isNewline }) != true
        else {
            throw Problem.field("note", "A note is text of at most \(Self.longestNote) characters.")
        }
        return Appointment(
            id: id, person: subject.person.id, household: subject.household.id, title: title, day: day,
            minute: Int32(minute), note: note?.isEmpty == true ? nil : note)
    }
}

extension Character {
    fileprivate var isControl: Bool { unicodeScalars.contains { $0.properties.generalCategory == .control } }
}
