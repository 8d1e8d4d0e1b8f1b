import Admission
import Testing

@testable import TLS

@Suite("The local network")
struct LocalNetworkTests {
    private func network(_ hostName: String, _ addresses: String...) -> LocalNetwork {
        LocalNetwork(hostName: hostName, addresses: addresses.compactMap { IPAddress($0) })
    }

    private let permitted = LocalNames(hostNames: ["linden", "oak"])

    @Test("A certificate is for the hub's name first, then for the machine's, then for this machine itself")
    func names() {
        let subjects = network("oak").subjects(hubName: "linden", permitted: permitted)
        #expect(subjects.names == ["linden.local", "oak.local", "linden", "oak", "localhost"])
        #expect(
            network("linden").subjects(hubName: "linden", permitted: permitted).names
                == ["linden.local", "linden", "localhost"])
    }

    @Test("A name that the machine got later is carried with .local, but not bare")
    func laterName() {
        let subjects = network("elm").subjects(hubName: "linden", permitted: permitted)
        #expect(subjects.names == ["linden.local", "elm.local", "linden", "localhost"])
    }

    @Test("Public addresses and those of one link are left out, private ones and loopback are in, each once")
    func addresses() {
        let subjects = network(
            "oak", "192.168.1.7", "8.8.8.8", "127.0.0.1", "2001:db8::1", "fd00::7", "fe80::1", "100.64.0.1",
            "192.168.1.7", "172.32.0.1"
        ).subjects(hubName: "linden", permitted: permitted)
        #expect(
            subjects.addresses.map { "\($0)" }
                == ["127.0.0.1", "::1", "100.64.0.1", "192.168.1.7", "fd00::7"])
    }

    @Test("A machine with hundreds of addresses shows 32 of them, loopback among them")
    func limit() {
        let many = LocalNetwork(hostName: "oak", addresses: (0...255).compactMap { IPAddress("10.0.0.\($0)") })
        let subjects = many.subjects(hubName: "linden", permitted: permitted)
        #expect(subjects.addresses.count == 32)
        #expect(subjects.addresses.prefix(2).map { "\($0)" } == ["127.0.0.1", "::1"])
        #expect(many.announced.count == 32)
    }

    @Test("The order in which the system tells its addresses makes no difference")
    func order() {
        #expect(network("oak", "10.0.0.2", "10.0.0.1") == network("oak", "10.0.0.1", "10.0.0.2", "10.0.0.1"))
    }

    @Test("Bridges to containers and virtual machines are not the household's network")
    func internalInterfaces() {
        for name in ["docker0", "br-1a2b3c4d5e6f", "virbr0", "podman1", "vboxnet0"] {
            #expect(LocalNetwork.isInternal(name), "\(name)")
        }
        for name in ["eth0", "wlan0", "enp3s0", "br0", "bond0", "wg0", "veth1"] {
            #expect(!LocalNetwork.isInternal(name), "\(name)")
        }
    }

    @Test("Announced is what reaches the machine from the household's network")
    func announced() {
        let network = network(
            "oak", "127.0.0.1", "::1", "169.254.1.1", "fe80::1", "8.8.8.8", "192.168.1.7", "fd00::7",
            "100.100.7.7")
        #expect(network.announced == ["192.168.1.7", "fd00::7"])
    }

    @Test("This machine has a name that is a label, and loopback")
    func current() {
        let current = LocalNetwork.current()
        #expect(HostLabel.isLabel(current.hostName))
        #expect(current.addresses.contains { "\($0)" == "127.0.0.1" })
    }

    @Test(
        "A permitted name ends in one of the domains, after a dot",
        arguments: [
            ("linden.local", true), ("a.b.LOCAL", true), ("local", true), ("linden", true), ("sub.linden", true),
            ("xlocal", false), ("local.com", false), ("notlinden", false), ("elm", false), ("", false), (".", false),
            ("example.org", false),
        ])
    func permitted(_ name: String, _ isPermitted: Bool) {
        #expect(permitted.permits(name: name) == isPermitted)
    }

    @Test("Names with a dot, and what is no label, are no further names for an authority")
    func furtherNames() {
        let names = LocalNames(hostNames: ["example.org", "", "a b", "com.", "lan", "oak", "oak"])
        #expect(names.domains == LocalNames.domains + ["oak"])
        #expect(names.ranges.count == 9, "each range reads as one")
    }

    @Test("Subjects cover others where nothing of those is missing")
    func covers() {
        let all = CertificateSubjects(names: ["a", "b"], addresses: ["10.0.0.1", "::1"].compactMap { IPAddress($0) })
        let none = CertificateSubjects(names: [], addresses: [])
        #expect(all.covers(all) && all.covers(none) && !none.covers(all))
        #expect(all.covers(CertificateSubjects(names: ["b", "a", "a"], addresses: [])))
        #expect(!all.covers(CertificateSubjects(names: ["c"], addresses: [])))
        #expect(!all.covers(CertificateSubjects(names: ["a"], addresses: ["10.0.0.2"].compactMap { IPAddress($0) })))
    }
}
