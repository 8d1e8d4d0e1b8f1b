import DrumsEngine
import GRDB
import HubKit
import Localization
import Storage

/// The routes that change a person's settings: how they play, what their links take, what is planned.
///
/// An adult decides for everybody, a child at its own profile for itself; a plan is an adult's to enter. Each route
/// answers with the person as the overview has them, and takes an Idempotency-Key.
struct SettingsRoutes: Sendable {
    let drums: Drums

    private static let person = "/api/drums/people/{person}"

    func add(to routes: Routes) {
        routes.put(
            "\(Self.person)/settings", .member,
            "Decides which drums, level, mode, hands, sounds and link somebody plays with; what is left out stays.",
            takes: SettingsInput.self
        ) { request, input in
            return try await drums.change(request) { subject, db in
                var settings = try PracticeSettings.of(subject.person, db)
                try input.apply(to: &settings, db)
                try settings.save(db)
            }
        }
        addLatencies(to: routes)
        addPlan(to: routes)
    }

    private func addLatencies(to routes: Routes) {
        routes.put(
            "\(Self.person)/latency/{link}", .member,
            "Keeps what tapping along found of a link on the device that asks: median and quartiles in tenths of milliseconds, and how many taps.",
            takes: LatencyInput.self
        ) { request, input in
            let link = try SettingsInput.link(try request.path("link"))
            let signIn = try request.member.signIn
            return try await drums.change(request) { subject, db in
                try input.checked(link: link, of: subject, signIn: signIn).save(db)
            }
        }
        routes.delete(
            "\(Self.person)/latency/{link}", .member,
            "Forgets what tapping along found of a link on the device that asks."
        ) { request in
            let link = try SettingsInput.link(try request.path("link"))
            let signIn = try request.member.signIn
            return try await drums.change(request) { subject, db in
                try LinkLatency.deleteOne(
                    db, key: ["person": subject.person.id, "link": link.rawValue, "sign_in": signIn])
            }
        }
    }

    private func addPlan(to routes: Routes) {
        routes.put(
            "\(Self.person)/plan", .adult,
            "Sets the plan that holds from a day on, today where none is said; what was planned before stays as it was.",
            takes: PlanInput.self
        ) { request, input in
            return try await drums.change(request) { subject, db in
                let plan = try input.checked(of: subject, db)
                try PracticePlan.filter(
                    sql: "person = ? AND from_day >= ?", arguments: [subject.person.id, plan.fromDay]
                ).deleteAll(db)
                try plan.insert(db)
            }
        }
        routes.delete("\(Self.person)/plan", .adult, "Ends the plan today; what was planned before stays as it was.") {
            request in
            try await drums.change(request) { subject, db in
                let plans = try PracticePlans(of: subject.person.id, db)
                try PracticePlan.filter(
                    sql: "person = ? AND from_day >= ?", arguments: [subject.person.id, subject.today]
                ).deleteAll(db)
                guard var end = plans.plan(on: subject.today), end.fromDay < subject.today else { return }
                end.fromDay = subject.today
                end.minutesPerWeek = 0
                try end.insert(db)
            }
        }
    }
}

extension Drums {
    /// Changes something about the person in the path, once for each Idempotency-Key, and answers with that person as
    /// the overview has them.
    ///
    /// - Parameter effect: everything that decides about the answer, in the transaction of the change.
    /// - Throws: a 404 problem for somebody unknown, a 403 problem for whoever may not decide about them.
    func change(_ request: APIRequest, _ effect: @escaping @Sendable (Subject, Database) throws -> Void) async throws
        -> APIResponse<JSON<OverviewPerson>>
    {
        let member = try request.member
        let hub = hub
        let localized = Localizer(request.language, from: .drums)
        return try await request.change(Self.self) { subject, db in
            try effect(subject, db)
            let stored = try StoredOverviewPerson(subject, db)
            return try .json(OverviewPerson(stored, for: member, hub: hub, in: localized))
        }
    }
}
