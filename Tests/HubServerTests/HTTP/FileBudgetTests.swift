import Admission
import Foundation
import MQTT
import NIOCore
import TLS
import Testing

@testable import HubKit
@testable import HubServer

@Suite("How the files of the process are shared out")
struct FileBudgetTests {
    @Test(
        "The reserve comes first, the pages get half of the rest at most, and nobody more than is wanted",
        arguments: [
            // files, pages, clients, half-open
            (256, 60, 45, 15), (1_024, 444, 333, 111), (4_096, 1_024, 2_202, 734), (65_536, 1_024, 10_000, 1_024),
        ])
    func shares(files: Int, pages: Int, clients: Int, halfOpen: Int) throws {
        let budget = try FileBudget(files: files, processors: 2)
        #expect(budget.reserve == 136)
        #expect(budget.pages == pages)
        #expect(budget.clients == clients)
        #expect(budget.halfOpen == halfOpen)
        #expect(budget.reserve + budget.pages + budget.clients + budget.halfOpen <= files)
    }

    @Test("More processors, which have an event loop each, leave less for connections")
    func processors() throws {
        #expect(try FileBudget(files: 1_024, processors: 64).reserve == 384)
    }

    @Test("With too few files the hub says so and does not start")
    func tooFew() {
        let error = #expect(throws: TooFewFiles.self) { try FileBudget(files: 183, processors: 2) }
        #expect(error?.description.contains("183") == true && error?.description.contains("at least 184") == true)
        #expect(throws: Never.self) { try FileBudget(files: 184, processors: 2) }
    }

    @Test("One address gets half of each share at most")
    func addresses() throws {
        let budget = try FileBudget(files: 256, processors: 2)
        let pages = budget.limited(ConnectionLimits())
        #expect(pages.total == 60 && pages.perPeer == 30)
        let messages = budget.limited(Limits())
        #expect(messages.connections == 45 && messages.connectionsPerAddress == 22)
        #expect(messages.halfOpenConnections == 15 && messages.halfOpenConnectionsPerAddress == 7)
        let large = try FileBudget(files: 65_536, processors: 2)
        #expect(large.limited(Limits()) == Limits(), "what is wanted, where there is enough")
    }

    @Test("The limit of the process is raised to what it may set itself")
    func raise() {
        let files = OpenFileLimit.raise()
        var limit = rlimit()
        #expect(getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0)
        #expect(files == Int(clamping: limit.rlim_cur))
        #expect(files >= min(Int(clamping: limit.rlim_max), OpenFileLimit.most))
    }

    @Test(
        "Loopback and trusted proxies bring many clients, any other address is one",
        arguments: [
            ("127.0.0.1", true), ("127.9.9.9", true), ("::1", true), ("10.1.2.3", true), ("192.168.1.7", false),
            ("::ffff:127.0.0.1", true), ("2001:db8::1", false),
        ])
    func shared(address: String, isShared: Bool) throws {
        var settings = HubSettings(dataFolder: "")
        settings.trustedProxies = [try #require(IPRange("10.0.0.0/8"))]
        #expect(settings.isShared(IPAddress(try SocketAddress(ipAddress: address, port: 1))) == isShared)
        #expect(!settings.isShared(nil))
    }
}
