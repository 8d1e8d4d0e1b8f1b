import Foundation
import NIOCore
import NIOPosix
import Testing

@testable import Diagnosis

@Suite("Ports and programs")
struct PortCheckTests {
    private let check = PortCheck(port: 1_883, host: "127.0.0.1", flag: "--mqtt-port")

    @Test("A listening socket is read as the kernel lists it, and a connection is none")
    func table() {
        // The columns of Documentation/networking/proc_net_tcp.rst; its own example is the second line, a connection.
        let table = """
              sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
               0: 0100007F:075B 00000000:0000 0A 00000000:00000000 00:00000000 00000000   110        0 23456 1 0000000000000000 100 0 0 10 0
              46: 010310AC:9C4C 030310AC:1770 01 00000150:00000000 01:00000019 00000000  1000        0 54165785 4 cd1e6040 25 4 27 3 -1
               1: 00000000000000000000000000000000:1F90 00000000000000000000000000000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 99 1
            """
        #expect(
            ListeningSocket.read(table: table) == [
                ListeningSocket(port: 1_883, user: 110, inode: 23_456),
                ListeningSocket(port: 8_080, user: 0, inode: 99),
            ])
    }

    @Test("A port that is taken is told with its program, its user, or neither")
    func taken() {
        let named = check.finding(.taken(PortHolder(program: "mosquitto", process: 412, user: "mosquitto")))
        #expect(named.grade == .fault)
        #expect(named.sentence == "Port 1883 on 127.0.0.1 cannot be used: mosquitto (process 412) has it.")
        #expect(named.advice == "Stop that program, or choose another port with --mqtt-port.")
        #expect(
            check.finding(.taken(PortHolder(user: "mosquitto"))).sentence.contains("a program of the user mosquitto"))
        #expect(check.finding(.taken(nil)).sentence.hasSuffix("another program has it."))
    }

    @Test("A port that wants more rights, and an address of another machine, are told apart")
    func refused() {
        #expect(check.finding(.free).grade == .well)
        #expect(check.finding(.notPermitted).words.contains("1024"))
        #expect(check.finding(.noSuchAddress).words.contains("no address of this machine"))
        #expect(check.finding(.refused("too many files")).words.contains("too many files"))
    }

    @Test("A port that this very process holds is found with its number, also where a hundred others listen")
    func realPort() async throws {
        // The kernel hands its table out in pieces of at most a page, 27 lines (fs/seq_file.c).
        var others: [any Channel] = []
        for _ in 0..<100 {
            try await others.append(
                ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton).bind(host: "127.0.0.1", port: 0).get())
        }
        let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .bind(host: "127.0.0.1", port: 0).get()
        let port = try #require(channel.localAddress?.port)
        let finding = await PortCheck(port: port, host: "127.0.0.1", flag: "--port").run()
        #expect(finding.grade == .fault)
        #expect(finding.sentence.contains("process \(ProcessInfo.processInfo.processIdentifier)"), "\(finding)")
        for channel in others + [channel] { try await channel.close() }
    }

    @Test("An address of TEST-NET-1 is none of this machine's")
    func foreignAddress() async {
        // RFC 5737 keeps it for documents.
        let finding = await PortCheck(port: 0, host: "192.0.2.1", flag: "--port").run()
        #expect(finding.words.contains("no address of this machine"), "\(finding)")
    }

    @Test("A program that is missing is a warning with its package")
    func program() {
        let check = ProgramCheck(name: "no-such-program", package: "some-package", loss: "Nothing speaks.")
        #expect(check.run() == check.finding(isInstalled: false))
        #expect(check.run().grade == .warning)
        #expect(check.run().words.hasSuffix("apt-get install some-package"))
        #expect(ProgramCheck(name: "sh", package: "dash", loss: "").run().grade == .well)
    }

    @Test("Avahi that is not installed is a fault with --lan, one that does not run a warning")
    func announcer() {
        let check = AnnouncerCheck()
        #expect(check.finding(hasProgram: false, isRunning: false).grade == .fault)
        #expect(check.finding(hasProgram: true, isRunning: false).grade == .warning)
        #expect(check.finding(hasProgram: true, isRunning: true).grade == .well)
    }

    @Test("A finding's line has a mark, its sentence and what to do")
    func line() {
        #expect(Finding.well("a", "Good.").line == "✓ Good.")
        #expect(Finding.warning("a", "Odd.", "Look.").line == "! Odd. Look.")
        #expect(Finding.fault("a", "Bad.").line == "✗ Bad.")
    }
}
