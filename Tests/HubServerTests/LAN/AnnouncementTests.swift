import Localization
import Logging
import Testing

@testable import HubKit
@testable import HubServer

@Suite("The announcement by Avahi")
struct AnnouncementTests {
    private func said(after lines: String...) -> Announcement.State {
        let announcement = Announcement(
            hostName: "linden.local", port: 8443, addresses: { [] },
            log: Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() }))
        for line in lines { announcement.note(line) }
        return announcement.state
    }

    @Test("Nothing is claimed before Avahi has said so")
    func beginning() { #expect(!said(after: "").isAnnounced) }

    @Test("An established name is announced")
    func established() { #expect(said(after: "Established under name 'linden.local'").isAnnounced) }

    @Test(
        "What goes wrong is told with what to do",
        arguments: [
            ("sh: 1: avahi-publish: not found", "apt-get install avahi-daemon"),
            ("Failed to create client object: Daemon not running", "systemctl start avahi-daemon"),
            ("Name collision, picking new name '(null)'.", "another --name"),
            ("Disconnected, reconnecting ...", "tries again"),
        ])
    func trouble(line: String, advice: String) {
        let state = said(after: "Established under name 'linden.local'", line)
        #expect(!state.isAnnounced)
        #expect(state.words.contains(advice))
        let german = state.text.string(in: .german, from: .server)
        #expect(german.hasPrefix("Niemand gibt linden.local im Netz bekannt: "))
    }
}
