import HubKit
import MotionLabEngine

/// A ride in a lift as a phone measures it: up four floors, a stop, and down again, for ever. Sensor Logger's messages
/// of it, a second each, are the same for a seed.
struct LiftRide: Sendable {
    /// The height of four floors.
    static let metres = 12.8
    /// The time from one start upwards to the next, seconds.
    static let period = 40.0
    /// The greatest speed, m/s, and the acceleration to it, m/s²: those of a usual lift of a house.
    private static let speed = 1.6
    private static let acceleration = 1.0
    /// The times at which it begins to go up, and down, seconds of a period.
    private static let starts = (up: 5.0, down: 22.0)

    /// The accelerations a second.
    static let hertz = 50
    /// The pressures a second.
    static let pressureHertz = 5

    let seed: UInt64

    /// The height above where it began, m, and the acceleration upwards, m/s².
    static func state(atSeconds seconds: Double) -> (height: Double, acceleration: Double) {
        let time = seconds.truncatingRemainder(dividingBy: period)
        if time < starts.up { return (0, 0) }
        if time < starts.down { return leg(time - starts.up) }
        let down = leg(time - starts.down)
        return (metres - down.height, -down.acceleration)
    }

    /// The height and the acceleration on the way from rest to rest over all floors.
    private static func leg(_ time: Double) -> (height: Double, acceleration: Double) {
        let rise = speed / acceleration
        let cruise = (metres - speed * rise) / speed
        switch time {
        case ..<rise: return (acceleration / 2 * time * time, acceleration)
        case ..<(rise + cruise): return (speed * rise / 2 + speed * (time - rise), 0)
        case ..<(2 * rise + cruise):
            let left = 2 * rise + cruise - time
            return (metres - acceleration / 2 * left * left, -acceleration)
        default: return (metres, 0)
        }
    }

    /// A message of Sensor Logger's on Android.
    ///
    /// - Parameters:
    ///   - second: since the ride began.
    ///   - start: when it began, UTC microseconds.
    ///   - session: the recording.
    func message(second: Int, start: Int64, session: String) -> String {
        var random = SeededRandom(seed: seed, stream: UInt64(clamping: second))
        var readings: [String] = []
        for place in 0..<Self.hertz {
            let offset = Double(second) + Double(place) / Double(Self.hertz)
            let (height, acceleration) = Self.state(atSeconds: offset)
            let time = (start + Int64(offset * 1_000_000)) * 1_000
            let z = SensorSource.standardGravity + acceleration + random.normal() * 0.03
            let (x, y) = (random.normal() * 0.03, random.normal() * 0.03)
            readings.append(
                #"{"name":"totalacceleration","time":\#(time),"values":{"z":\#(z),"y":\#(y),"x":\#(x)},"accuracy":3}"#)
            guard place % (Self.hertz / Self.pressureHertz) == 0 else { continue }
            // A phone's barometer scatters by some two hundredths of a hPa: 15 cm.
            let pressure = Altitude.pressure(metres: height, reference: 1_013.25) + random.normal() * 0.02
            readings.append(
                #"{"name":"barometer","time":\#(time),"values":{"pressure":\#(pressure)},"accuracy":3}"#)
        }
        return
            #"{"messageId":\#(second),"sessionId":"\#(session)","deviceId":"simulated","payload":[\#(readings.joined(separator: ","))]}"#
    }
}
