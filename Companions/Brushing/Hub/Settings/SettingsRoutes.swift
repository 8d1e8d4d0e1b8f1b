import BrushingEngine
import GRDB
import HubKit
import Storage

/// The routes that change a person's settings: their routine, their days off, their brush head, their appointments.
///
/// An adult decides for everybody, a child at its own profile for itself. Each route answers with the person as the
/// overview has them, and takes an Idempotency-Key.
struct SettingsRoutes: Sendable {
    let brushing: Brushing

    private static let person = "/api/brushing/people/{person}"

    func add(to routes: Routes) {
        addSettings(to: routes)
        addDays(to: routes)
        addBrushHead(to: routes)
        addAppointments(to: routes)
    }

    private func addSettings(to routes: Routes) {
        routes.put(
            "\(Self.person)/settings", .member,
            "Decides about somebody’s routine, the order of its quarters, cues, children’s mode and how often a day; what is left out stays.",
            takes: SettingsInput.self
        ) { request, input in
            let member = try request.member
            return try await brushing.change(request) { subject, db in
                var settings = try Settings.of(subject, db)
                try input.apply(to: &settings)
                // How much is asked of a day is no child's to lower.
                if let perDay = input.perDay, perDay != (try Settings.perDay(person: subject.person.id, db)) {
                    try brushing.hub.policy.checkAdult(
                        member, now: subject.now,
                        Problem(
                            .forbidden, "For grown-ups", "An adult of the household decides how often a day.",
                            field: "perDay"))
                }
                try settings.save(db)
            }
        }
    }

    private func addDays(to routes: Routes) {
        routes.put(
            "\(Self.person)/days/{day}", .member,
            "Freezes a day, such as 2026-12-02: it neither breaks nor lengthens a streak. The reason is skip, ill or holiday.",
            takes: ReasonBody.self
        ) { request, body in
            let text = try request.path("day")
            return try await brushing.change(request) { subject, db in
                let day = try DayInput.frozen(text, today: subject.today)
                try brushing.freeze(day...day, try DayInput.reason(body.reason), subject, db)
            }
        }
        routes.delete("\(Self.person)/days/{day}", .member, "Makes a frozen day a day as any other.") { request in
            let text = try request.path("day")
            return try await brushing.change(request) { subject, db in
                let day = try DayInput.frozen(text, today: subject.today)
                try FrozenDay.deleteOne(db, key: ["person": subject.person.id, "day": day])
            }
        }
        routes.post(
            "\(Self.person)/days", .member, "Freezes all days from one to another, 60 at most.",
            takes: SpanBody.self
        ) { request, body in
            return try await brushing.change(request) { subject, db in
                let from = try DayInput.frozen(body.from, field: "from", today: subject.today)
                let to = try DayInput.frozen(body.to, field: "to", today: subject.today)
                guard from <= to else { throw Problem.field("to", "The last day comes before the first.") }
                guard to - from < SpanBody.longest else {
                    throw Problem.field("to", "At most \(SpanBody.longest) days at once.")
                }
                try brushing.freeze(from...to, try DayInput.reason(body.reason), subject, db)
            }
        }
    }

    private func addBrushHead(to routes: Routes) {
        routes.put(
            "\(Self.person)/brush-head", .member,
            "Says how many weeks somebody uses a brush head; null for never to be reminded of it.",
            takes: WeeksBody.self
        ) { request, body in
            let weeks = body.weeks
            return try await brushing.change(request) { subject, db in
                let choices = Settings.headWeekChoices
                guard weeks.map(choices.contains) ?? true else {
                    throw Problem.field(
                        "weeks",
                        "A brush head is used for \(choices.lowerBound) to \(choices.upperBound) weeks, or nobody is reminded of it."
                    )
                }
                try brushing.changeBrushHead(of: subject, db) { $0.headWeeks = weeks ?? Settings.headNever }
            }
        }
        routes.post(
            "\(Self.person)/brush-head/replaced", .member,
            "Says that somebody has a new brush head, today or since a day.",
            takes: ReplacedBody.self
        ) { request, body in
            return try await brushing.change(request) { subject, db in
                let day = try body.day.map { try DayInput.day($0) } ?? subject.today
                guard day <= subject.today else {
                    throw Problem.field("day", "That day is still to come. Say so when the new head is on.")
                }
                guard day >= subject.today - 2 * 366 else {
                    throw Problem.field("day", "That is more than two years ago. Look at the year.")
                }
                try brushing.changeBrushHead(of: subject, db) { $0.headReplaced = day }
            }
        }
    }

    private func addAppointments(to routes: Routes) {
        routes.post(
            "\(Self.person)/appointments", .member,
            "Adds an appointment, such as the dentist’s, on a day such as 2026-12-02 at a minute of that day.",
            takes: AppointmentInput.self
        ) { request, input in
            return try await brushing.create(request) { subject, db in
                try brushing.forgetAppointments(before: subject.today - AppointmentInput.daysBack, subject, db)
                let others = try Appointment.filter(sql: "person = ?", arguments: [subject.person.id]).fetchCount(db)
                guard others < Appointment.most else {
                    throw Problem(
                        .conflict, "Enough",
                        "\(subject.person.name) has \(others) appointments, with those of the last month. Remove one first.",
                        field: "day")
                }
                let appointment = try input.checked(id: Secret.identifier(length: 12), of: subject)
                try appointment.insert(db)
                try brushing.remind(of: appointment, subject, db)
            }
        }
        routes.put(
            "\(Self.person)/appointments/{appointment}", .member, "Changes an appointment.",
            takes: AppointmentInput.self
        ) { request, input in
            let id = try request.path("appointment")
            return try await brushing.change(request) { subject, db in
                _ = try Appointment.find(id, of: subject, db)
                let appointment = try input.checked(id: id, of: subject)
                try appointment.update(db)
                try brushing.remind(of: appointment, subject, db)
            }
        }
        routes.delete("\(Self.person)/appointments/{appointment}", .member, "Removes an appointment.") { request in
            let id = try request.path("appointment")
            return try await brushing.change(request) { subject, db in
                // Removed twice is removed.
                guard let appointment = try Appointment.fetchOne(db, key: id) else { return }
                guard appointment.person == subject.person.id else {
                    throw Problem.notFound("There is no appointment here. It may have been removed.")
                }
                try appointment.delete(db)
                try brushing.forget(appointment, db)
            }
        }
    }
}

extension Appointment {
    /// The most of one person, those of the last month too.
    static let most = 50

    /// A person's appointments of today and later, the next first.
    static func ahead(of subject: Subject, _ db: Database) throws -> [Appointment] {
        try fetchAll(
            db, cached: "SELECT * FROM brushing_appointment WHERE person = ? AND day >= ? ORDER BY day, minute, id",
            arguments: [subject.person.id, subject.today])
    }

    /// Finds an appointment of a person.
    ///
    /// - Throws: a 404 problem for one that is not this person's.
    static func find(_ id: String, of subject: Subject, _ db: Database) throws -> Appointment {
        guard let appointment = try fetchOne(db, key: id), appointment.person == subject.person.id else {
            throw Problem.notFound("There is no appointment here. It may have been removed.")
        }
        return appointment
    }
}

extension Brushing {
    /// Removes what nobody sees any more, so that nobody has to.
    func forgetAppointments(before day: Int32, _ subject: Subject, _ db: Database) throws {
        let past = try Appointment.filter(sql: "person = ? AND day < ?", arguments: [subject.person.id, day]).fetchAll(
            db)
        for appointment in past {
            try appointment.delete(db)
            try forget(appointment, db)
        }
    }

    /// Freezes days, those too that were frozen for another reason.
    func freeze(_ days: ClosedRange<Int32>, _ reason: FrozenDay.Reason, _ subject: Subject, _ db: Database) throws {
        for day in days {
            try FrozenDay(person: subject.person.id, day: day, household: subject.household.id, reason: reason)
                .save(db)
        }
    }

    /// Changes what is known of somebody's brush head, and when they are reminded to replace it.
    func changeBrushHead(of subject: Subject, _ db: Database, _ change: (inout Settings) -> Void) throws {
        var settings = try Settings.of(subject, db)
        let before = settings.headSuggested
        change(&settings)
        try settings.save(db)
        if settings.headSuggested != before { try remindOfBrushHead(settings, subject, db) }
    }
}

private struct ReasonBody: Decodable { var reason: String }

private struct SpanBody: Decodable {
    static let longest: Int32 = 60
    var from, to, reason: String
}

private struct WeeksBody: Decodable {
    /// The weeks after which to replace the brush head. Nil is never, and has to be said.
    var weeks: Int?

    private enum CodingKeys: CodingKey { case weeks }

    init(from decoder: any Decoder) throws {
        let body = try decoder.container(keyedBy: CodingKeys.self)
        guard body.contains(.weeks) else {
            throw DecodingError.keyNotFound(
                CodingKeys.weeks, .init(codingPath: decoder.codingPath, debugDescription: "weeks is missing"))
        }
        weeks = try body.decodeIfPresent(Int.self, forKey: .weeks)
    }
}

private struct ReplacedBody: Decodable { var day: String? }
