import DeviceHAL
import DrumsEngine

/// The force of a strike on the drum with the accelerometer: the largest change of acceleration from rest in the window
/// after the strike, in hundredths of g, with two decimals. A relative value, as the original's: it depends on the
/// drum, on where the sensor sits, and on the stick.
///
/// A sensor that does not answer, that is another one, or that always says the same gives no force, and is woken again
/// while the next cue of its drum waits.
struct StrikeSensor: Sendable {
    /// The only drum that has a sensor, as in the original.
    static var drum: Drum { .red }
    /// The interval at which rest is measured while the drum is lit, milliseconds.
    private static var restInterval: UInt32 { 50 }

    private let sensor = Accelerometer()
    private var isAwake = false
    /// The acceleration before the strike: gravity, and what the drum does by itself.
    private var atRest: Accelerometer.Sample?
    /// The time at which rest was measured, or the sensor was woken, last.
    private var triedAt: UInt32 = 0
    /// The largest change of this strike, counts.
    private var peak: UInt32 = 0
    private var sampledAt: UInt32?

    /// Whether a force can be measured.
    var isMeasuring: Bool { isAwake && atRest != nil }

    mutating func wake(_ bus: inout some I2CBus) {
        do throws(I2CError) {
            isAwake = try sensor.wake(&bus)
        } catch {
            isAwake = false
        }
    }

    /// Notes that a cue has gone out; rest is measured a little later, so that the light is not kept waiting.
    mutating func expect(_ now: UInt32) { triedAt = now }

    /// Measures rest, or wakes the sensor, at its interval.
    mutating func rest(_ bus: inout some I2CBus, _ now: UInt32) {
        guard now &- triedAt >= Self.restInterval else { return }
        triedAt = now
        guard isAwake else { return wake(&bus) }
        do throws(I2CError) {
            atRest = try sensor.sample(&bus)
        } catch {
            lose()
        }
    }

    /// Begins to measure a strike.
    mutating func begin() {
        peak = 0
        sampledAt = nil
    }

    /// Takes one sample a millisecond, the sensor's own rate.
    mutating func sample(_ bus: inout some I2CBus, _ now: UInt32) {
        guard isAwake, let atRest, sampledAt != now else { return }
        sampledAt = now
        do throws(I2CError) {
            peak = max(peak, try sensor.sample(&bus).distance(to: atRest))
        } catch {
            lose()
        }
    }

    /// Ends the measurement and returns the force, in hundredths of its unit; nil where there is none. A strike moves
    /// the drum: a sensor that saw nothing at all is asleep or broken.
    mutating func end() -> UInt32? {
        guard isMeasuring else { return nil }
        guard peak > 0 else {
            lose()
            return nil
        }
        return peak * 10_000 / Accelerometer.countsPerG
    }

    private mutating func lose() {
        isAwake = false
        atRest = nil
    }
}
