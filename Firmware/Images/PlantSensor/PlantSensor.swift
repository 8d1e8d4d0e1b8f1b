import Board
import BoardImages
import CortexM
import DeviceHAL
import DeviceParts
import PlantsDevice

/// The soil sensor's firmware: measures every ten minutes, keeps what it measured, and delivers it to the hub, with its times.
///
/// Between two measurements it sleeps. The Wi-Fi module is woken once an hour, or at once after the set-up; what the hub has not
/// acknowledged stays in the flash memory, for 40 days at least, and is delivered once the hub is there again.
struct PlantSensor {
    /// The time between two measurements, milliseconds.
    static var interval: UInt32 { 600_000 }
    /// How many measurements are delivered at once.
    static var readingsADelivery: UInt8 { 6 }
    /// How often an image on trial tries to sign in before it gives up, at once one after the other.
    static var mostTrials: UInt8 { 3 }
    /// The pages of the memory: three with the settings, the others with readings.
    static var pages: (settings: Int, readings: Int) { (3, 61) }

    private let clock = Clock()
    private var memory: Flash
    private var probe = SeesawSoilSensor(board: ProbeBoard())
    private var hasProbe = false
    private var readings: ReadingStore
    private var settings: SettingsStore
    private var console = SetUpConsole()
    private var line = SerialPort.console
    private var delivery = Delivery()
    private var update: ImageUpdate
    /// How often an image on trial has tried to sign in.
    private var trials: UInt8 = 0
    private var moment = Moment()
    private var lamp = OutputPin(0)
    private var measuredAt: UInt32?
    private var sinceDelivery: UInt8 = 0

    /// A sensor that is about to be switched on.
    init() {
        memory = Flash(pageCount: ImageSlots.pageCount)
        update = ImageUpdate(running: ImagePlace.running, pageSize: memory.pageSize)
        settings = SettingsStore(firstPage: 0, pages: Self.pages.settings, pageSize: memory.pageSize)
        readings = ReadingStore(
            firstPage: Self.pages.settings, pages: Self.pages.readings, pageSize: memory.pageSize)
    }

    /// Reads the memory. What cannot be read is taken for empty: a sensor without a memory measures all the same.
    mutating func begin() {
        do throws(FlashError) {
            try settings.mount(&memory)
            try readings.mount(&memory)
            try update.mount(&memory)
        } catch {
            readings.fault()
        }
        // The first measurements after a start have no time before the hub was asked for it.
        sinceDelivery = Self.readingsADelivery
    }

    /// Runs one turn.
    /// - Returns: how long nothing is to be done, milliseconds, unless a byte comes.
    mutating func poll() -> UInt32 {
        if measuredAt.map({ clock.milliseconds &- $0 >= Self.interval }) ?? true {
            measuredAt = clock.milliseconds
            moment.turn(clock.milliseconds)
            measure()
        }
        // Measuring takes its time: what follows counts from after it.
        let now = clock.milliseconds
        moment.turn(now)
        if console.poll(&line, known: settings.current) { provision(now) }
        if let outcome = delivery.poll(&moment, &readings, &update, &memory, at: now) { ended(outcome) }
        if !delivery.isGoingOn, sinceDelivery >= Self.readingsADelivery, let settings = settings.current {
            sinceDelivery = 0
            delivery.begin(settings, at: now)
        }
        lamp.drive(high: delivery.isGoingOn)
        guard !delivery.isGoingOn, !console.isBusy, let measuredAt else { return 1 }
        return max(Self.interval - min(clock.milliseconds &- measuredAt, Self.interval), 1)
    }

    private mutating func measure() {
        do throws(SeesawError) {
            if !hasProbe {
                try probe.begin()
                hasProbe = true
            }
            let capacitance = try probe.capacitance()
            let milliCelsius = try probe.temperatureMilliCelsius()
            let reading = Reading(
                capacitance: capacitance, decicelsius: Int16(clamping: milliCelsius / 100), time: moment.now)
            keep(reading)
        } catch {
            // A sensor that lost its supply has to be begun anew; until then there is a gap, which the hub shows.
            hasProbe = false
        }
        sinceDelivery = sinceDelivery == .max ? .max : sinceDelivery + 1
    }

    private mutating func keep(_ reading: Reading) {
        do throws(FlashError) { try readings.append(reading, &memory) } catch { readings.fault() }
    }

    private mutating func provision(_ now: UInt32) {
        guard console.settings.isComplete, console.settings.isSayable else { return console.finish(.notJoined) }
        do throws(FlashError) {
            try settings.store(console.settings, &memory)
        } catch {
            return console.finish(.notJoined)
        }
        sinceDelivery = 0
        delivery.begin(console.settings, at: now)
    }

    private mutating func ended(_ outcome: Delivery.Outcome) {
        console.finish(outcome == .notJoined ? .notJoined : nil)
        // Of what is left more is delivered at once; where the hub was not there it is asked again in an hour.
        if outcome == .delivered, readings.hasUnsent { sinceDelivery = Self.readingsADelivery }
        if outcome == .updateReady { Processor.restart(.update) }
        if update.isOnTrial {
            trials += 1
            if trials >= Self.mostTrials { Processor.restart(.notSignedIn) }
            sinceDelivery = Self.readingsADelivery
        }
    }
}

/// The board as the driver of the probe sees it: its bus and its clock.
struct ProbeBoard: I2CBus, Ticks {
    private var bus = SensorBus()
    private var clock = Clock()

    var milliseconds: UInt32 { clock.milliseconds }
    mutating func wait(microseconds: UInt32) { clock.wait(microseconds: microseconds) }
    mutating func write<let count: Int>(_ bytes: InlineArray<count, UInt8>, to address: UInt8) throws(I2CError) {
        try bus.write(bytes, to: address)
    }
    mutating func read<let count: Int>(into bytes: inout InlineArray<count, UInt8>, from address: UInt8)
        throws(I2CError)
    { try bus.read(into: &bytes, from: address) }
}
