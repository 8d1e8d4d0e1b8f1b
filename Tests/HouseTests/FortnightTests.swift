import Foundation
import Storage
import Testing

@Suite("A fortnight of a family")
struct FortnightTests {
    /// What a person reads; `TANDEM_WRITE_TABLES=1 swift test --filter HouseTests` writes it anew.
    private static let table = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../docs/adr/0031-a-fortnight.md").standardized

    private static let head = """
        # A fortnight of reminders

        What a simulated family was reminded of, and what was kept silent, over fourteen days by a clock that a test moved
        (`Tests/HouseTests`). Mila and Theo brush as children do; Theo's quiet hours begin at 19:00. Ines wants one notice a day
        of the plants and quiet from 21:00 to 7:00. Tom wants each notice by itself, has set the one about water to 22:30, and is
        quiet from 22:00 to 8:00. The fern dries by three percent a day and is watered twice; its battery is low from Friday on;
        the basil's sensor falls silent on the second Wednesday.

        `TANDEM_WRITE_TABLES=1 swift test --filter HouseTests` writes this page.


        """

    @Test("Each is reminded as they wish, once, and the table that people read says so")
    func fortnight() async throws {
        let fortnight = try await Fortnight()
        let events = try await fortnight.live()
        let spoken = events.filter { [.said, .again].contains($0.outcome) }

        // Nobody hears a notice in their quiet hours, and Ines one a day at most.
        let ines = spoken.filter { $0.person == "ines" }
        #expect(!ines.isEmpty)
        #expect(Set(ines.map(\.day)).count == ines.count)
        #expect(spoken.filter { $0.person == "theo" && $0.name == "evening" }.isEmpty)
        #expect(events.contains { $0.person == "theo" && $0.outcome == .quiet })
        let tom = spoken.filter { $0.person == "tom" && $0.name == "water" }
        #expect(!tom.isEmpty)
        #expect(tom.allSatisfy { $0.at % 86_400_000 == 7 * 3_600_000 }, "8:00 in Vienna")
        // What was brushed is not asked for.
        #expect(events.contains { $0.person == "mila" && $0.outcome == .nothing })

        let page = Self.head + fortnight.table(events)
        if ProcessInfo.processInfo.environment["TANDEM_WRITE_TABLES"] != nil {
            try page.write(to: Self.table, atomically: true, encoding: .utf8)
        }
        #expect(try String(contentsOf: Self.table, encoding: .utf8) == page)
    }
}
