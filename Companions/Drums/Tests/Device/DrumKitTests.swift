import DrumsDevice
import DrumsEngine
import Testing

@Suite("The kit's firmware")
struct DrumKitTests {
    @Test("A cue lights its drum, and the right strike is told with the time between them")
    func answers() {
        var bench = KitBench()
        bench.send("2")
        #expect(bench.lit == [2])
        bench.wait(450)
        bench.strike(2)
        #expect(bench.lit == [])
        #expect(bench.notifications == ["2 450 -1.00", "END"])
    }

    @Test("Wrong drums come before the right one, in the order they were struck: the seed's own example")
    func wrongDrums() {
        var bench = KitBench()
        bench.send("2")
        for drum in [0, 1, 3, 1] {
            bench.wait(250)
            bench.strike(drum)
        }
        bench.wait(450)
        bench.strike(2)
        // 19 characters and a NUL are one packet; what is longer goes on in the next.
        #expect(bench.notifications == ["0 1 3 1 2 1450 -1.0", "0", "END"])
        #expect(bench.messages == ["0 1 3 1 2 1450 -1.00"])
    }

    @Test("The first drum tells its force, 20 ms after the strike; the time is that of the strike")
    func force() {
        var bench = KitBench(accelerometer: still())
        bench.send("0")
        bench.wait(700)
        bench.strike(0, thousandths: 3_200)
        bench.wait(19)
        #expect(bench.notifications == [])
        bench.wait(1)
        #expect(bench.messages == ["0 700 319.97"])
    }

    @Test("A harder strike has a larger force, up to what the sensor can measure")
    func forces() throws {
        var last = 0.0
        for thousandths: Int32 in [50, 400, 1_600, 6_400, 12_800, 60_000] {
            var bench = KitBench()
            bench.send("0")
            bench.wait(700)
            bench.strike(0, thousandths: thousandths)
            bench.wait(20)
            let words = try #require(bench.messages.first).split(separator: " ")
            let force = try #require(Double(words[2]))
            #expect(force > last)
            #expect(words[2].split(separator: ".").last?.count == 2)
            last = force
        }
        #expect(last < 5_542.57)
    }

    @Test(
        "A sensor that is absent, another one, stuck, or lost in the middle gives no force, and the beat is told all the same"
    )
    func brokenSensor() {
        var absent = AccelerometerModel()
        absent.faults.isAbsent = true
        var stuck = AccelerometerModel()
        stuck.faults.isStuck = true
        for model in [absent, stuck, AccelerometerModel(identity: 0x19)] {
            var bench = KitBench(accelerometer: model)
            bench.send("0")
            bench.wait(300)
            bench.strike(0)
            bench.wait(25)
            #expect(bench.messages == ["0 300 -1.00"])
        }
        var bench = KitBench()
        bench.send("0")
        bench.wait(300)
        bench.strike(0)
        bench.wait(5)
        bench.kit.board.accelerometer.faults.isAbsent = true
        bench.wait(20)
        #expect(bench.messages == ["0 300 -1.00"])
    }

    @Test(
        "A sensor that was powered anew or came back is woken, and gives forces again",
        arguments: [0x68, 0x70] as [UInt8])
    func sensorReturns(identity: UInt8) {
        var bench = KitBench(accelerometer: AccelerometerModel(identity: identity))
        bench.kit.board.accelerometer.powerOn()
        var forces: [Bool] = []
        for _ in 0..<3 {
            bench.send("0")
            bench.wait(400)
            bench.strike(0)
            bench.wait(200)
            forces.append(bench.messages.last?.hasSuffix(" -1.00") == false)
        }
        #expect(forces.first == false)
        #expect(forces.last == true)
    }

    @Test("One strike rings for 200 ms on its own drum, and shakes the others for 5 ms")
    func debounce() {
        var bench = KitBench()
        bench.pulse = 1
        bench.send("3")
        bench.wait(300)
        bench.strike(1)
        bench.wait(4)
        bench.strike(2)  // The shock of 1.
        bench.wait(1)
        bench.strike(0)  // 5 ms later: another strike.
        bench.wait(194)
        bench.strike(1)  // 199 ms after its first: the same one.
        bench.wait(1)
        bench.strike(1)  // 200 ms: the next.
        bench.wait(10)
        bench.strike(3)
        #expect(bench.messages == ["1 0 1 3 510 -1.00"])
    }

    @Test("Where one shock reaches two pads in one turn, the drum that was asked for counts")
    func sameTurn() {
        var bench = KitBench()
        bench.send("3")
        bench.wait(300)
        bench.kit.pads[1].isHigh = true
        bench.strike(3)
        #expect(bench.messages == ["3 300 -1.00"])
    }

    @Test("A hand that rests on a pad is one strike, and none if it was there at power-on")
    func resting() {
        var bench = KitBench()
        bench.kit.pads[1].isHigh = true
        bench.send("2")
        bench.wait(2_000)
        bench.strike(2)
        #expect(bench.messages == ["1 2 2000 -1.00"])
        var kit = KitModel(board: BoardModel())
        kit.pads[2].isHigh = true
        kit.begin()
        kit.board.toKit = Array("2".utf8)
        kit.poll()
        kit.board.milliseconds += 500
        kit.poll()
        #expect(kit.board.fromKit.isEmpty)
    }

    @Test("A strike that nobody asked for is not told, and neither is one after stop")
    func unasked() {
        var bench = KitBench()
        bench.strike(1)
        bench.wait(300)
        bench.send("1")
        bench.wait(300)
        bench.send("4")
        #expect(bench.lit == [])
        bench.strike(1)
        bench.wait(300)
        #expect(bench.notifications == [])
    }

    @Test("A new cue replaces the one before: its light, its clock and its wrong drums")
    func replaces() {
        var bench = KitBench()
        bench.send("1")
        bench.wait(500)
        bench.strike(3)
        bench.wait(500)
        bench.send("2")
        #expect(bench.lit == [2])
        bench.wait(600)
        bench.strike(2)
        #expect(bench.messages == ["2 600 -1.00"])
    }

    @Test(
        "A cue or a stop while the force is still measured tells the answered beat first", arguments: ["2", "4", "0"])
    func cueInTheWindow(command: String) {
        var bench = KitBench()
        bench.send("0")
        bench.wait(500)
        bench.strike(0)
        bench.wait(4)
        bench.send(command)
        #expect(bench.messages.count == 1)
        #expect(bench.messages.first?.hasPrefix("0 500 ") == true)
        #expect(bench.lit == (command == "4" ? [] : [Int(command)!]))
    }

    @Test("What is no command is ignored, also between a cue and its answer, and keeps the kit from nothing")
    func noise() {
        var bench = KitBench()
        bench.send("2")
        for byte in UInt8.min...UInt8.max where !(0x30...0x34).contains(byte) { bench.kit.board.toKit.append(byte) }
        bench.wait(100)
        #expect(bench.kit.board.toKit.isEmpty)
        #expect(bench.lit == [2])
        bench.strike(2)
        #expect(bench.messages == ["2 100 -1.00"])
        // A line that never falls silent: the pads are looked at all the same.
        bench.send("1")
        bench.wait(300)
        bench.kit.board.toKit += Array(repeating: 0x55, count: 5_000)
        bench.strike(1)
        #expect(bench.messages.last == "1 300 -1.00")
    }

    @Test("The clock may wrap around between cue and strike")
    func wrapsAround() {
        for start: UInt32 in [.max - 3, .max - 500, .max] {
            var bench = KitBench(start: start)
            bench.send("1")
            bench.wait(400)
            bench.strike(0)
            bench.wait(250)
            bench.strike(1)
            #expect(bench.messages == ["0 1 650 -1.00"], "started at \(start)")
        }
    }

    @Test(
        "A cue that was left alone for longer than the engine reads is told as ten minutes, also after the clock went round"
    )
    func leftAlone() {
        var bench = KitBench()
        bench.send("1")
        for _ in 0..<50 {
            // A day each.
            bench.kit.board.milliseconds &+= 86_400_000
            bench.turn()
        }
        bench.strike(1)
        #expect(bench.messages == ["1 600000 -1.00"])
    }

    @Test("More wrong drums than fit are counted no more, and the message stays below 512 bytes")
    func manyWrong() throws {
        var bench = KitBench()
        bench.send("3")
        for turn in 0..<700 {
            bench.wait(100)
            bench.strike(turn % 3)
        }
        bench.wait(10)
        bench.strike(3)
        let message = try #require(bench.messages.first)
        #expect(message.split(separator: " ").count == 203)
        #expect(message.utf8.count < 512)
        #expect(message.hasSuffix(" 3 70010 -1.00"))
    }

    @Test("A kit that was reset has forgotten its cue and answers the next one")
    func reset() {
        var bench = KitBench()
        bench.send("1")
        bench.wait(200)
        let board = bench.kit.board
        bench.kit = KitModel(board: board)
        bench.kit.begin()
        #expect(bench.lit == [])
        bench.strike(1)
        #expect(bench.notifications == [])
        bench.wait(300)
        bench.send("1")
        bench.wait(350)
        bench.strike(1)
        #expect(bench.messages == ["1 350 -1.00"])
    }

    private func still() -> AccelerometerModel {
        var model = AccelerometerModel()
        model.noise = 0
        return model
    }
}
