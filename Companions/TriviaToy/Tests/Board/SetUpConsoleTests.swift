import Testing
import TriviaToyDevice
import TriviaToyEngine
import TriviaToyVirtualBoard
import Wire

@Suite("The toy's console")
struct SetUpConsoleTests {
    /// What the toy has said.
    private struct Said: Equatable {
        var kind: ImprovPacket.Kind
        var data: [UInt8]
    }

    /// A toy that nobody has set up, and somebody at its serial line.
    private struct Bench {
        var virtual = VirtualToy(board: VirtualBoard(pages: 32))
        var hub = HubModel()

        mutating func tell(_ data: [UInt8]) {
            var packet: [UInt8] = []
            ImprovPacket.encode(.command, data: data.span, into: &packet)
            virtual.toy.board.type(packet)
        }

        mutating func tellHub() {
            var data: [UInt8] = []
            HubCommand.encode(
                host: Array("192.0.2.7".utf8).span, port: 1_883, device: Array("toy-1".utf8).span,
                token: Array("secret".utf8).span, into: &data)
            tell(data)
        }

        mutating func tellNetwork(
            _ ssid: [UInt8] = Array("House".utf8), _ password: [UInt8] = Array("sesame open".utf8)
        ) {
            var data: [UInt8] = []
            ImprovCommand.encodeWifiSettings(ssid: ssid.span, password: password.span, into: &data)
            tell(data)
        }

        /// What the toy says in so many milliseconds.
        mutating func said(_ milliseconds: UInt32 = 200) -> [Said] {
            var hub = hub
            virtual.run(milliseconds: milliseconds) { hub.serve(&$0) }
            self.hub = hub
            var reader = ImprovReader()
            reader.append(virtual.toy.board.takeConsoleOutput().span)
            var messages: [Said] = []
            while let message = reader.next() { messages.append(Said(kind: message.kind, data: message.data)) }
            #expect(reader.damaged == 0)
            return messages
        }
    }

    private static func error(_ error: ImprovError) -> Said {
        Said(kind: .errorState, data: [error.rawValue])
    }

    private static func state(_ state: ImprovState) -> Said {
        Said(kind: .currentState, data: [state.rawValue])
    }

    @Test(
        "A command that was torn costs itself alone: the next is answered",
        arguments: [
            // A length that never comes; within its header, its length, its data; two in a row; the log of a boot; a mark only.
            Array("IMPROV".utf8) + [1, 3, 0xFF, 1, 2], Array("IMPRO".utf8), Array("IMPROV".utf8) + [1, 3],
            Array("IMPROV".utf8) + [1, 3, 4, 1, 2], Array("IMPROVIMPROV".utf8) + [1, 3, 9, 1],
            Array("rst:0x1 (POWERON_RESET),boot:0x13\r\nIMP".utf8), Array("IMPROV".utf8), [0xFF, 0x00, 0x49],
        ] as [[UInt8]])
    func torn(bytes: [UInt8]) {
        var bench = Bench()
        bench.virtual.toy.board.type(bytes)
        let torn = bench.said()
        bench.tell([ImprovCommand.requestStateNumber, 0])
        let said = torn + bench.said()
        // Improv Wi-Fi over serial, error state 1: a packet that is malformed. What comes behind it is none of it.
        #expect(said.last == Self.state(.ready))
        #expect(said.dropLast().allSatisfy { $0 == Self.error(.invalidPacket) })
    }

    @Test("Told its hub and its network, it joins, says so, and connects as who it is")
    func setUp() {
        var bench = Bench()
        bench.tell([ImprovCommand.requestStateNumber, 0])
        #expect(bench.said() == [Self.state(.ready)])
        bench.tellHub()
        #expect(bench.said() == [Self.error(.none), .init(kind: .result, data: [HubCommand.number, 0])])
        bench.tellNetwork()
        let answer = bench.said(8_000)
        #expect(
            answer == [
                Self.error(.none), Self.state(.provisioning), Self.state(.provisioned), Self.error(.none),
                .init(kind: .result, data: [ImprovCommand.wifiSettingsNumber, 0]),
            ])
        #expect(bench.virtual.toy.machine.link == .online && bench.hub.token == Array("secret".utf8))
    }

    @Test("After a wrong password the right one is taken at once, without switching it off and on")
    func retried() {
        var bench = Bench()
        bench.tellHub()
        bench.tellNetwork(Array("House".utf8), Array("sesame".utf8))
        #expect(bench.said(8_000).suffix(2) == [Self.state(.ready), Self.error(.unableToConnect)])
        bench.tellNetwork()
        #expect(bench.said(10_000).contains(Self.state(.provisioned)))
        #expect(bench.virtual.toy.machine.link == .online)
    }

    @Test("A network of 32 bytes of any value with a password of 63 goes through the console")
    func anySSID() {
        var bench = Bench()
        var ssid: [UInt8] = [0, 0xFF, 0x22, 0x2C, 0x5C, 0x3A]
        while ssid.count < 32 { ssid.append(UInt8(ssid.count * 8)) }
        let password = Array("a,b\"c\\d:".utf8) + [UInt8](repeating: 0x7A, count: 55)
        (bench.virtual.toy.board.wifi.ssid, bench.virtual.toy.board.wifi.password) = (ssid, password)
        bench.tellHub()
        bench.tellNetwork(ssid, password)
        #expect(bench.said(8_000).contains(Self.state(.provisioned)))
    }

    @Test(
        "What it cannot take it says, and goes on: no hub yet, a line end, an unknown command, noise, a damaged packet")
    func refused() {
        var bench = Bench()
        bench.tellNetwork()
        #expect(bench.said() == [Self.error(.badHostname)])
        bench.tellHub()
        _ = bench.said()
        bench.tellNetwork(Array("A\r\nAT+RST".utf8), [])
        #expect(bench.said() == [Self.error(.invalidPacket)])
        bench.tell([0x77, 0])
        #expect(bench.said() == [Self.error(.unknownCommand)])
        var damaged: [UInt8] = []
        ImprovPacket.encode(.command, data: [ImprovCommand.requestStateNumber, 0].span, into: &damaged)
        damaged[9] ^= 1
        bench.virtual.toy.board.type(Array("IMPIMPRO log line\n".utf8) + damaged)
        #expect(bench.said() == [Self.error(.invalidPacket)])
        bench.tell([ImprovCommand.requestStateNumber, 0])
        #expect(bench.said() == [Self.state(.ready)])
        #expect(bench.virtual.toy.machine.link == .notSetUp)
    }
}
