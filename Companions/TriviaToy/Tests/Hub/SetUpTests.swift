import ClientKit
import Foundation
import Testing
import TriviaToyDevice
import TriviaToyEngine
import TriviaToyVirtualBoard
import Wire

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

    /// Dials as the original's firmware does (wire formats, A3): it waits for `ok` and nothing else, answers `ok`, and reads
    /// user, network and password.
    private static func dial(_ port: Int, answer: String = "ok") async throws -> [String] {
        try await ByteLink.open(.host("127.0.0.1", port: port)) { link, incoming in
            let greeting = try await incoming.next() ?? []
            try await link.send(Array(answer.utf8))
            var heard: [UInt8] = []
            while heard.count < told.utf8.count, let bytes = try await incoming.next() { heard += bytes }
            return [greeting, heard].map { String(decoding: $0, as: UTF8.self) }
        }
    }

    private static let told = "7:House:a:b"

    private static func message() throws -> [UInt8] {
        var message: [UInt8] = []
        try ProvisioningMessage.encode(
            user: 7, ssid: Array("House".utf8).span, password: Array("a:b".utf8).span, into: &message)
        return message
    }

    @Test("The original's toy dials, is greeted first, answers, and is told user, network and password")
    func original() async throws {
        let message = try Self.message()
        let (ports, listens) = AsyncStream.makeStream(of: Int.self)
        async let served: Void = OriginalSetUp.serve(
            host: "127.0.0.1", port: 0, message: message, patience: .seconds(60), whenListening: { listens.yield($0) })
        let port = try #require(await ports.first { _ in true })
        #expect(try await Self.dial(port) == ["ok", Self.told])
        try await served
    }

    @Test(
        "A toy that was told is done, also where it resets its line or its network vanishes", arguments: [true, false])
    func ends(isReset: Bool) async throws {
        let message = try Self.message()
        let (ports, listens) = AsyncStream.makeStream(of: Int.self)
        async let served: Void = OriginalSetUp.serve(
            host: "127.0.0.1", port: 0, message: message, patience: .seconds(60), whenListening: { listens.yield($0) })
        let port = try #require(await ports.first { _ in true })
        // On a thread that may wait, since the set-up needs those of tasks.
        let (line, heard) = await withCheckedContinuation { done in
            Thread.detachNewThread { done.resume(returning: Self.dial(port, isReset: isReset)) }
        }
        defer { if !isReset { close(line) } }
        #expect(heard == Self.told.utf8.count)
        try await served
    }

    /// Dials a port of this machine by the system's own calls, and is told.
    ///
    /// - Parameter isReset: whether the line is reset then (SO_LINGER of 0, POSIX), as by a stack that has no memory to wait.
    /// - Returns: the line, and how many bytes the toy was told.
    private static func dial(_ port: Int, isReset: Bool) -> (line: CInt, heard: Int) {
        let line = socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
        var place = sockaddr_in()
        place.sin_family = sa_family_t(AF_INET)
        place.sin_port = in_port_t(port).bigEndian
        place.sin_addr.s_addr = in_addr_t(INADDR_LOOPBACK).bigEndian
        let size = socklen_t(MemoryLayout.size(ofValue: place))
        let isConnected = withUnsafePointer(to: &place) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(line, $0, size) == 0 }
        }
        var heard = [UInt8](repeating: 0, count: 64)
        guard isConnected, read(line, &heard, heard.count) == 2, write(line, "ok", 2) == 2 else { return (line, -1) }
        let count = read(line, &heard, heard.count)
        if isReset {
            var linger = linger(l_onoff: 1, l_linger: 0)
            setsockopt(line, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout.size(ofValue: linger)))
            close(line)
        }
        return (line, count)
    }

    @Test("A toy that hung up dials again, and what dials in between and is no toy changes nothing")
    func redials() async throws {
        let message = try Self.message()
        let (ports, listens) = AsyncStream.makeStream(of: Int.self)
        let (losses, loses) = AsyncStream.makeStream(of: OriginalSetUp.Failure.self)
        async let served: Void = OriginalSetUp.serve(
            host: "127.0.0.1", port: 0, message: message, patience: .seconds(60), whenListening: { listens.yield($0) },
            whenLost: { loses.yield($0) })
        var listening = ports.makeAsyncIterator()
        var lost = losses.makeAsyncIterator()
        let port = try #require(await listening.next())
        try await ByteLink.open(.host("127.0.0.1", port: port)) { _, incoming in _ = try await incoming.next() }
        #expect(await lost.next() == .gone)
        #expect(try await Self.dial(port, answer: "GET / HTTP/1.1\r\n\r\n") == ["ok", ""])
        #expect(await lost.next() == .notGreeted)
        #expect(try await Self.dial(port) == ["ok", Self.told])
        try await served
    }

    @Test(
        "Nothing is told before the person says so, and a toy that dialled twice meanwhile is told then, asked about once"
    )
    func permission() async throws {
        let message = try Self.message()
        let (ports, listens) = AsyncStream.makeStream(of: Int.self)
        let (losses, loses) = AsyncStream.makeStream(of: OriginalSetUp.Failure.self)
        let (asked, asks) = AsyncStream.makeStream(of: Void.self)
        let (words, says) = AsyncStream.makeStream(of: Void.self)
        async let served: Void = OriginalSetUp.serve(
            host: "127.0.0.1", port: 0, message: message, patience: .seconds(60), whenListening: { listens.yield($0) },
            whenLost: { loses.yield($0) },
            permission: {
                asks.yield()
                _ = await words.first { _ in true }
            })
        var listening = ports.makeAsyncIterator()
        let port = try #require(await listening.next())
        try await ByteLink.open(.host("127.0.0.1", port: port)) { link, incoming in
            _ = try await incoming.next()
            try await link.send(Array("ok".utf8))
            _ = await asked.first { _ in true }
        }
        #expect(await losses.first { _ in true } == .gone)
        async let toldThen = Self.dial(port)
        says.yield()
        #expect(try await toldThen == ["ok", Self.told])
        try await served
        asks.finish()
        #expect(await asked.first { _ in true } == nil)
    }

    @Test("A port that cannot be listened at is said, and not tried for ever")
    func occupied() async throws {
        let message = try Self.message()
        await #expect(throws: (any Error).self) {
            try await OriginalSetUp.serve(host: "203.0.113.9", port: 8_080, message: message)
        }
    }
}
