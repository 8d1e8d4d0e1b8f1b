import ArgumentParser
import BrushingEngine
import ClientKit
import Foundation
import HubKit
import Storage

/// `tandem simulate brushing`
struct SimulateBrushingCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "brushing", abstract: "Lives months of a family’s brushing, through the hub’s public API.",
        discussion: """
            It brushes for everybody whom the account may deliver for, with the routine that is set for each: with slips \
            at the weekend, holidays and ill days, pauses, skipped steps, sessions that were stopped, and phones that \
            deliver days later, or twice. The same seed and days are the same sessions: sent again, nothing is stored \
            twice. The password is asked for, or taken from TANDEM_PASSWORD.

            Example:
              tandem simulate brushing --url http://localhost:8080 --email ines@example.org --months 6
            """)

    @Option(help: "Where the hub’s pages are.")
    var url = "http://localhost:8080"

    @Option(help: "The account of an adult of the family.")
    var email: String

    @Option(help: "How many months, up to the last day: 1 to 24.")
    var months = 6

    @Option(help: "Which life: any whole number from 0 on.")
    var seed: UInt64 = 1

    @Option(help: ArgumentHelp("The last day, such as 2026-11-21; today without it.", valueName: "day"))
    var until: String?

    func validate() throws {
        guard (1...24).contains(months) else { throw ValidationError("--months is a number from 1 to 24.") }
        guard let until else { return }
        guard let last = CivilDate(until) else { throw ValidationError("--until is a day such as 2026-11-21.") }
        guard last.day <= Self.today(now: HubClock.system.now()) else {
            throw ValidationError("--until lies ahead. What is still to come was brushed by nobody.")
        }
        guard last.year >= Self.earliest else {
            throw ValidationError(
                "--until is too long ago: hubs take sessions from 2016 on. Say \(Self.earliest) or later.")
        }
    }

    /// The earliest year that can be simulated from. With it, the longest life still lies in the years of which a hub
    /// takes sessions.
    private static let earliest = 2018

    private static func today(now: Int64) -> Int32 {
        LocalMoment(of: now, LocalCalendar(timeZone: .current)).brushingDay
    }

    func run() async throws {
        let client = try await HubClient.signIn(url: url, email: email, password: try PasswordPrompt.read())
        do {
            try await live(client)
        } catch {
            try? await client.signOut()
            throw error
        }
        try await client.signOut()
    }

    private func live(_ client: HubClient) async throws {
        let now = HubClock.system.now()
        let overview = try await client.get("/api/brushing", as: FamilyOverview.self)
        let today = Self.today(now: now)
        let last = until.flatMap { CivilDate($0)?.day } ?? today
        let days = last - Int32(months) * 365 / 12 + 1...last
        let absences = SimulatedAbsences(seed: seed, days: days, people: overview.people.count)
        var children = 0
        for (index, person) in overview.people.enumerated() {
            let habits = SimulatedBrusher.Habits.of(person.role, child: &children)
            guard person.mayDeliver else {
                print("\(person.name): left out. These sessions come from \(person.name)’s own account.")
                continue
            }
            // Absences of more than a year ago are none that a hub takes.
            let holidays = absences.holidays.filter { $0.lowerBound > today - 365 }
            let illnesses = absences.illnesses[index].filter { $0.lowerBound > today - 365 }
            for (reason, ranges) in [(FrozenDay.Reason.holiday, holidays), (.ill, illnesses)] {
                for range in ranges {
                    try await client.post(
                        "/api/brushing/people/\(person.id)/days", json: Absence(range, reason))
                }
            }
            let brusher = SimulatedBrusher(
                person: person.id, habits: habits, routine: try Routine(bytes: Array(person.routine.bytes)),
                calendar: LocalCalendar(timeZone: TimeZone(identifier: person.timeZone) ?? .current),
                seed: seed &+ UInt64(index))
            let deliveries = try brusher.deliveries(
                days: days, frozen: Set((holidays + illnesses).flatMap { Array($0) }), now: now)
            try await deliver(deliveries, of: person, client)
        }
    }

    /// Delivers sessions in the order in which the phone reached the hub.
    private func deliver(
        _ deliveries: [SimulatedBrusher.Delivery], of person: FamilyOverview.Person, _ client: HubClient
    )
        async throws
    {
        var (new, again) = (0, 0)
        for delivery in deliveries.sorted(by: {
            ($0.at, $0.session.result.startedAt) < ($1.at, $1.session.result.startedAt)
        }) {
            for _ in 0..<(delivery.isTwice ? 2 : 1) {
                let answer = try await client.post(
                    "/api/brushing/sessions", bytes: delivery.session.encoded())
                if answer.status == 201 { new += 1 } else { again += 1 }
            }
        }
        print("\(person.name): \(new) sessions stored, \(again) that the hub had already.")
    }
}

/// The part of the overview that the simulator reads of the overview.
private struct FamilyOverview: Decodable {
    struct Person: Decodable {
        struct RoutineResponse: Decodable { var bytes: Data }

        var id, name, timeZone: String
        var role: PersonRecord.Role
        var mayDeliver: Bool
        var routine: RoutineResponse
    }

    var people: [Person]
}

private struct Absence: Encodable {
    var from, to: String
    var reason: FrozenDay.Reason

    init(_ days: ClosedRange<Int32>, _ reason: FrozenDay.Reason) {
        from = "\(CivilDate(day: days.lowerBound))"
        to = "\(CivilDate(day: days.upperBound))"
        self.reason = reason
    }
}
