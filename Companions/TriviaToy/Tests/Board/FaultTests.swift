import DeviceParts
import Testing
import TriviaToyDevice
import TriviaToyEngine
import TriviaToyVirtualBoard

@Suite("A toy whose parts and network fail")
struct FaultTests {
    private static func mpu(_ change: (inout MPU6050Model.Faults) -> Void) -> MPU6050Model.Faults {
        var faults = MPU6050Model.Faults()
        change(&faults)
        return faults
    }

    @Test(
        "An accelerometer that fails is noticed, and works again when it does",
        arguments: [
            mpu { $0.isAbsent = true }, mpu { $0.notAcknowledged = 400 }, mpu { $0.isStuck = true },
            mpu { $0.swappedRegisters = (0x6B, 0x1C) }, mpu { $0.swappedRegisters = (0x19, 0x1A) },
        ])
    func accelerometer(faults: MPU6050Model.Faults) {
        var bench = ToyBench.online(facts: 2)
        bench.virtual.perform(.accelerometer(faults))
        bench.run(1_100)
        #expect(bench.virtual.toy.faults.contains(.accelerometer))
        bench.virtual.perform(.accelerometer(.init()))
        bench.run(3_000)
        #expect(!bench.virtual.toy.faults.contains(.accelerometer))
        bench.throwIt()
        #expect(bench.hub.plays.map(\.fact) == [1])
    }

    @Test(
        "One register that is swapped in the model is noticed at the next look",
        arguments: [0x19, 0x1A, 0x1C, 0x6B] as [UInt8])
    func swapped(register: UInt8) {
        var bench = ToyBench()
        bench.virtual.perform(.accelerometer(Self.mpu { $0.swappedRegisters = (register, 0x20) }))
        bench.run(1_100)
        // The part was set up before: the swapped register now reads what another one holds.
        #expect(bench.virtual.toy.faults.contains(.accelerometer))
    }

    @Test("A part with another identity, or with worn springs, is refused at the start")
    func wrongPart() {
        var board = VirtualBoard(pages: 16)
        board.bus.identity = 0x70
        #expect(VirtualToy(board: board).toy.faults.contains(.accelerometer))
        board.bus.identity = 0x68
        #expect(!VirtualToy(board: board).toy.faults.contains(.accelerometer))
        board.bus.faults.selfTestPercent = 80
        #expect(VirtualToy(board: board).toy.faults.contains(.accelerometer))
    }

    @Test(
        "A prompt or a command that is lost on the speech module's line does not silence the toy", arguments: [1, 3, 9])
    func garbledSpeech(bytes: Int) {
        var bench = ToyBench.online(facts: 3)
        bench.virtual.perform(.garbleSpeech(toToy: bytes, toModule: bytes))
        bench.throwIt()
        bench.run(60_000)
        let before = bench.spoken.count
        bench.throwIt()
        #expect(bench.spoken.count == before + 1)
        #expect(bench.hub.plays.last?.ending == .finished)
        #expect(!bench.virtual.toy.faults.contains(.speech))
    }

    @Test("A speech module that falls silent is told, and found again")
    func silentSpeech() {
        var bench = ToyBench.online(facts: 2)
        bench.virtual.perform(
            .voice(
                {
                    var faults = EMIC2Model.Faults(); faults.isSilent = true; return faults
                }()))
        bench.throwIt()
        bench.run(60_000)
        #expect(bench.virtual.toy.faults.contains(.speech))
        #expect(bench.hub.plays.map(\.ending) == [.cutOff])
        bench.virtual.perform(.voice(.init()))
        bench.run(5_000)
        #expect(!bench.virtual.toy.faults.contains(.speech))
        bench.throwIt()
        #expect(bench.hub.plays.map(\.ending) == [.cutOff, .finished])
    }

    @Test("Commands that the speech module refuses are said again, and settings reach it")
    func refusals() {
        var bench = ToyBench.online(facts: 1)
        bench.virtual.perform(
            .voice(
                {
                    var faults = EMIC2Model.Faults(); faults.refusals = 3; return faults
                }()))
        bench.virtual.perform(.hold(.down, milliseconds: 100))
        bench.run(3_000)
        #expect(bench.virtual.toy.board.voice.settings["V"] == -6)
        #expect(bench.virtual.toy.board.voice.refused.count == 3)
    }

    @Test("A wrong password and a missing network are told as such, and tried again with the right one")
    func joining() {
        var bench = ToyBench()
        bench.virtual.toy.provision(ToyBench.settings(password: Array("wrong".utf8)))
        bench.run(6_000)
        #expect(bench.virtual.toy.setUpResult == .some(.some(.wrongPassword)))
        bench.virtual.toy.provision(ToyBench.settings(ssid: Array("Elsewhere".utf8)))
        bench.run(6_000)
        #expect(bench.virtual.toy.setUpResult == .some(.some(.noAccessPoint)))
        bench.virtual.toy.provision(ToyBench.settings())
        bench.run(6_000)
        #expect(bench.virtual.toy.setUpResult == .some(.none))
        #expect(bench.virtual.toy.machine.link == .online)
    }

    private enum Trouble: CaseIterable {
        case busy, silent, hubGone, halfOpen, accessPoint, garbled, brownOut, closed, refused, unanswered
    }

    @Test("Whatever goes wrong with the network, each play arrives once it is over", arguments: 0..<10)
    func network(number: Int) {
        let trouble = Trouble.allCases[number]
        var bench = ToyBench.online(facts: 3)
        func wifi(_ change: (inout ESP8266Model.Faults) -> Void) -> ESP8266Model.Faults {
            var faults = ESP8266Model.Faults()
            change(&faults)
            return faults
        }
        switch trouble {
        case .busy: bench.virtual.perform(.wifi(wifi { $0.busy = 5 }))
        case .silent: bench.virtual.perform(.wifi(wifi { $0.isSilent = true }))
        case .hubGone:
            bench.virtual.perform(.wifi(wifi { $0.isHubGone = true }))
            bench.virtual.perform(.closeConnection)
        case .halfOpen: bench.virtual.perform(.wifi(wifi { $0.isHalfOpen = true }))
        case .accessPoint: bench.virtual.perform(.accessPoint(isGone: true))
        case .garbled: bench.virtual.perform(.garbleRadio(toToy: 40, toModule: 10))
        case .brownOut: bench.virtual.perform(.brownOut)
        case .closed: bench.virtual.perform(.closeConnection)
        case .refused:
            // What a hub with an error inside says: server unavailable.
            bench.hub.refusal = 3
            bench.virtual.perform(.closeConnection)
        case .unanswered: bench.hub.acknowledges = false
        }
        bench.run(6_000)
        bench.throwIt()
        bench.throwIt()
        bench.run(10_000)
        bench.hub.refusal = 0
        bench.hub.acknowledges = true
        bench.virtual.perform(.wifi(.init()))
        bench.virtual.perform(.accessPoint(isGone: false))
        bench.run(200_000)
        #expect(bench.virtual.toy.machine.link == .online, "\(trouble)")
        #expect(Set(bench.hub.plays.map(\.sequence)) == [1, 2], "\(trouble)")
        #expect(bench.virtual.toy.journal.unreported == 0, "\(trouble)")
    }

    @Test("A memory that takes nothing is told, the toy speaks all the same, and the fact is not acknowledged")
    func memory() {
        var bench = ToyBench.online(facts: 2)
        bench.virtual.perform(
            .memory(
                {
                    var faults = FlashModel.Faults(); faults.isBrownedOut = true; return faults
                }()))
        bench.hub.send(id: 9, "One more.")
        bench.throwIt()
        #expect(bench.virtual.toy.faults.contains(.store))
        #expect(bench.spoken.count == 1)
        #expect(bench.hub.unacknowledged.count == 1)
    }
}
