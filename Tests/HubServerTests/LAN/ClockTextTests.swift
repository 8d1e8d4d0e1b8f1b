import Localization
import Testing

@testable import HubKit
@testable import HubServer

@Suite("What is said of a device's clock")
struct ClockTextTests {
    private static let day: Int64 = 86_400_000

    @Test("Within five minutes nothing is said", arguments: [0, 299_999, -299_999] as [Int64])
    func fine(difference: Int64) { #expect(clockText(1_000_000_000_000 + difference, hub: 1_000_000_000_000) == nil) }

    @Test(
        "A German reads it in German, with the cases that its verb wants",
        arguments: [(-365 * day, "ein Jahr nach"), (86_400_000, "24 Stunden vor"), (3 * day, "3 Tage vor")]
            as [(Int64, String)])
    func german(difference: Int64, words: String) throws {
        let said = try #require(clockText(1_000_000_000_000 + difference, hub: 1_000_000_000_000))
        #expect(
            said.string(in: .german, from: .server)
                .hasPrefix("Die Uhr dieses Geräts geht gegenüber dem Hub \(words)."))
    }

    @Test(
        "The difference is told as a person would",
        arguments: [
            (5 * 60_000, "5 minutes ahead of"), (-60 * 60_000, "60 minutes behind"),
            (2 * 3_600_000, "2 hours ahead of"),
            (-3 * day, "3 days behind"), (365 * day, "a year ahead of"), (-365 * day, "a year behind"),
            (-1_000_000_000_000, "32 years behind"), (.max, "centuries ahead of"), (.min, "centuries behind"),
        ] as [(Int64, String)])
    func words(difference: Int64, words: String) throws {
        let hub: Int64 = 1_000_000_000_000
        let (device, isTooFar) = hub.addingReportingOverflow(difference)
        let said = try #require(clockText(isTooFar ? difference : device, hub: hub))
        #expect(said.string(in: .english, from: .server).contains("clock is \(words) the hub’s."))
    }
}
