import Admission
import TLS
import Testing

@testable import Accounts
@testable import HubKit
@testable import HubServer

@Suite("The sample household’s sign-in")
struct SampleAccountTests {
    private func settings(_ change: (inout HubSettings) -> Void = { _ in }) -> HubSettings {
        var settings = HubSettings(dataFolder: "sample")
        change(&settings)
        return settings
    }

    @Test("The well-known password is for this machine alone")
    func wellKnown() {
        #expect(SampleAccount.password(settings()) == "tandem-demo")
        #expect(SampleAccount.password(settings { $0.host = "::1" }) == "tandem-demo")
    }

    @Test(
        "Behind a trusted proxy, with an origin, on the network or on another address, each start has a new password",
        arguments: ["trusted proxy", "origin", "lan", "host"])
    func reachable(from: String) {
        let settings = settings {
            switch from {
            case "trusted proxy": $0.trustedProxies = [IPRange("127.0.0.1")].compactMap(\.self)
            case "origin": $0.origin = "https://tandem.example.org"
            case "lan": $0.lan = LANSettings()
            default: $0.host = "0.0.0.0"
            }
        }
        let first = SampleAccount.password(settings)
        #expect(first.count == 16)
        #expect(first != "tandem-demo")
        #expect(first != SampleAccount.password(settings))
    }
}
