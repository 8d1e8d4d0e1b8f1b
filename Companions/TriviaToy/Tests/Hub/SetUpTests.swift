import ClientKit
import Foundation
import Testing
import TriviaToyDevice
import TriviaToyEngine
import TriviaToyVirtualBoard

@testable import TriviaToyHub

@Suite("Setting a toy up from a command")
struct SetUpTests {
    private static func settings(password: String = "sesame open") -> ImprovSetUp.Settings {
        ImprovSetUp.Settings(
            ssid: Array("House".utf8), password: Array(password.utf8), host: "192.0.2.7", port: 1_883, device: "toy-1",
            token: "secret")
    }

    /// Runs `body` at the serial line of a toy that nobody has set up.
    private static func atToy(_ body: @escaping @Sendable (inout ImprovSetUp) async throws -> Void) async throws {
        let terminal = try PseudoTerminal()
        var toy = VirtualToy(board: VirtualBoard(pages: 32))
        toy.toy.board.wifi.joinTime = 600
        let player = ToyPlayer(toy: toy)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                try await ByteLink.open(.descriptor(terminal.descriptor)) { link, incoming in
                    try await withThrowingTaskGroup(of: Void.self) { group in
                        group.addTask {
                            try await player.run { output in
                                if case .console(let bytes) = output { try await link.send(bytes) }
                            }
                        }
                        while let bytes = try await incoming.next() { player.inbox.add(.typed(bytes)) }
                        group.cancelAll()
                    }
                }
            }
            let descriptor = try SerialPort.open(terminal.path)
            try await ByteLink.open(.descriptor(descriptor)) { link, incoming in
                var setUp = ImprovSetUp(link, incoming)
                try await body(&setUp)
            }
            group.cancelAll()
        }
    }

    @Test("Over a serial line the firmware is told its hub and its network, and a second try follows a wrong password")
    func serial() async throws {
        try await Self.atToy { setUp in
            await #expect(throws: ImprovSetUp.Failure.said(.unableToConnect)) {
                try await setUp.setUp(Self.settings(password: "wrong"))
            }
            try await setUp.join(Array("House".utf8), Array("sesame open".utf8))
        }
    }

    @Test("A line that is not there, and a file that is none, are told apart")
    func ports() {
        func words(_ path: String) -> String? {
            do throws(SerialPort.Failure) { close(try SerialPort.open(path)) } catch { return error.words }
            return nil
        }
        #expect(words("/dev/no-such-line")?.hasPrefix("is not there.") == true)
        #expect(words("/dev/null") == "is no serial line.")
    }

    @Test("The original's toy dials, both say ok, and it is told user, network and password")
    func original() async throws {
        var message: [UInt8] = []
        try ProvisioningMessage.encode(
            user: 7, ssid: Array("House".utf8).span, password: Array("a:b".utf8).span, into: &message)
        let content = message
        let (ports, listens) = AsyncStream.makeStream(of: Int.self)
        async let served: Void = OriginalSetUp.serve(host: "127.0.0.1", port: 0, message: content) { listens.yield($0) }
        let port = try #require(await ports.first { _ in true })
        let heard = try await ByteLink.open(.host("127.0.0.1", port: port)) { link, incoming in
            try await link.send(Array("ok".utf8))
            var heard: [UInt8] = []
            while heard.count < 2 + content.count, let bytes = try await incoming.next() { heard += bytes }
            return heard
        }
        try await served
        #expect(String(decoding: heard, as: UTF8.self) == "ok7:House:a:b")
    }
}
