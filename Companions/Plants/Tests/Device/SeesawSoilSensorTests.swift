import DeviceHAL
import PlantsDevice
import Testing

@Suite("The soil sensor's driver over the model of its registers")
struct SeesawSoilSensorTests {
    private func sensor(_ change: (inout SeesawModel) -> Void = { _ in }) -> SeesawSoilSensor<SeesawModel> {
        var model = SeesawModel()
        change(&model)
        return SeesawSoilSensor(board: model)
    }

    @Test("A healthy sensor is reset, recognised and read")
    func healthy() throws {
        var sensor = sensor {
            $0.capacitance = 637
            $0.set(temperatureMilliCelsius: 21_500)
        }
        try sensor.begin()
        #expect(sensor.board.resets == 1)
        #expect(try sensor.capacitance() == 637)
        #expect(try sensor.temperatureMilliCelsius() == 21_500)
    }

    @Test("Every capacitance comes through", arguments: [0, 1, 255, 256, 300, 1_000, 1_023] as [UInt16])
    func capacitances(value: UInt16) throws {
        var sensor = sensor { $0.capacitance = value }
        #expect(try sensor.capacitance() == value)
    }

    @Test(
        "Temperatures above and below zero come through", arguments: [-40_000, -250, 0, 125, 23_750, 85_000] as [Int32])
    func temperatures(milli: Int32) throws {
        var sensor = sensor { $0.set(temperatureMilliCelsius: milli) }
        // 16 bits of fraction are 0.015 thousandths.
        #expect((try sensor.temperatureMilliCelsius() - milli).magnitude <= 1)
    }

    /// What a driver makes of a model: all it reads, or how it fails.
    private func outcome(_ model: SeesawModel) -> String {
        var sensor = SeesawSoilSensor(board: model)
        do throws(SeesawError) {
            try sensor.begin()
            return "\(try sensor.capacitance()) \(try sensor.temperatureMilliCelsius())"
        } catch {
            return "\(error)"
        }
    }

    @Test("Changing any byte of any register of the model is noticed")
    func everyRegisterMatters() {
        let healthy = SeesawModel()
        for register in healthy.registers.indices {
            for byte in healthy.registers[register].bytes.indices {
                var changed = healthy
                changed.registers[register].bytes[byte] ^= 0x90
                #expect(outcome(changed) != outcome(healthy), "register \(register), byte \(byte)")
            }
            var moved = healthy
            moved.registers[register].function ^= 0x20
            #expect(outcome(moved) != outcome(healthy), "register \(register) elsewhere")
            var slower = healthy
            slower.registers[register].readyAfter = 1_000_000
            #expect(outcome(slower) != outcome(healthy), "register \(register) slower")
        }
    }

    @Test("Up to three refusals in a row are overcome; four are reported")
    func rejections() throws {
        var patient = sensor { $0.faults.notAcknowledged = 3 }
        try patient.begin()
        var failing = sensor { $0.faults.notAcknowledged = 4 }
        #expect(throws: SeesawError.bus(.notAcknowledged)) { try failing.begin() }
        var slow = sensor { $0.faults.timedOut = 4 }
        #expect(throws: SeesawError.bus(.timedOut)) { try slow.capacitance() }
    }

    @Test("A stuck bus is reported at once, without attempts that are no use, and recovers when it is let go")
    func stuck() throws {
        var sensor = sensor { $0.faults.stuck = true }
        let before = sensor.board.milliseconds
        #expect(throws: SeesawError.bus(.busStuck)) { try sensor.begin() }
        #expect(sensor.board.milliseconds - before < 2)
        sensor.board.faults.stuck = false
        try sensor.begin()
    }

    @Test("Another chip at the address is named")
    func wrongDevice() {
        var sensor = sensor { $0.registers[0].bytes = [0x61] }
        #expect(throws: SeesawError.wrongDevice(hardwareID: 0x61)) { try sensor.begin() }
    }

    @Test("A sensor at another address does not answer", arguments: [0x37, 0x38, 0x39] as [UInt8])
    func address(other: UInt8) throws {
        var absent = SeesawSoilSensor(board: SeesawModel(address: other))
        #expect(throws: SeesawError.bus(.notAcknowledged)) { try absent.begin() }
        var present = SeesawSoilSensor(board: SeesawModel(address: other), address: other)
        try present.begin()
    }

    @Test("A measurement that is not ready is waited for, and at last given up")
    func notReady() throws {
        var late = sensor { $0.faults.unready = 3 }
        #expect(try late.capacitance() == 300)
        var never = sensor { $0.faults.unready = 4 }
        #expect(throws: SeesawError.notReady) { try never.capacitance() }
    }

    @Test("Values beyond the sensor's reach are refused")
    func implausible() {
        var wet = sensor { $0.capacitance = 1_024 }
        #expect(throws: SeesawError.implausible) { try wet.capacitance() }
        var hot = sensor { $0.registers[1].bytes = [0x00, 0x7E, 0, 0] }
        #expect(throws: SeesawError.implausible) { try hot.temperatureMilliCelsius() }
    }

    @Test("Noise stays within what was asked for, and is the same for a seed")
    func noise() throws {
        var values: [UInt16] = []
        var again: [UInt16] = []
        for _ in 0..<2 {
            var sensor = sensor {
                $0.capacitance = 600
                $0.faults.noise = 20
            }
            values = again
            again = try (0..<50).map { _ in try sensor.capacitance() }
        }
        #expect(values == again)
        #expect(values.allSatisfy { (580...620).contains($0) })
        #expect(Set(values).count > 10)
    }
}
