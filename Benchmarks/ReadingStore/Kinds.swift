import Foundation

/// How a series of readings comes, like those of a sensor.
enum Kind: String, CaseIterable {
    case temperature, humidity, light, moisture, calibrated, noisy, quarterly, hourly, constant, irregular

    /// Milliseconds from one reading to the next, about.
    var interval: Int64 {
        switch self {
        case .quarterly: 900_000
        case .hourly: 3_600_000
        case .irregular: 60_000
        default: 10_000
        }
    }

    /// What it is, in words.
    var words: String {
        switch self {
        case .temperature: "temperature, 10 s, hundredths, noise of two"
        case .humidity: "humidity, 10 s, tenths, noise of one"
        case .light: "light, 10 s, whole lux, clouds, dark at night"
        case .moisture: "moisture, 10 s, tenths, noise of one"
        case .calibrated: "moisture on a scale of its own, 10 s, any fraction"
        case .noisy: "noise in all bits, 10 s"
        case .quarterly: "temperature, 15 min"
        case .hourly: "temperature, hourly"
        case .constant: "always the same, exactly 10 s"
        case .irregular: "temperature, whenever, each minute on the average"
        }
    }

    /// The next time after one.
    func time(after time: Int64, start: Int64, _ random: inout Noise) -> Int64 {
        switch self {
        case .constant: return time + interval
        case .irregular: return time + 1 + Int64(-log(1 - random.uniform()) * Double(interval))
        default:
            // A clock that ticks exactly, and a way that takes some milliseconds.
            let tick = (time - start + interval / 2) / interval + 1
            return start + tick * interval + Int64(12 * random.normal())
        }
    }

    func value(at time: Int64, _ random: inout Noise) -> Double {
        let days = Double(time) / 86_400_000
        let swing = sin(2 * .pi * days)
        func rounded(_ value: Double, _ steps: Double) -> Double { (value * steps).rounded() / steps }
        switch self {
        case .temperature, .quarterly, .hourly, .irregular:
            return rounded(20 + 3 * swing + 2 * sin(days / 9) + 0.02 * random.normal(), 100)
        case .humidity: return rounded(52 - 8 * swing + 0.1 * random.normal(), 10)
        case .light: return max(0, (4_000 * swing * (1 + 0.02 * random.normal())).rounded())
        case .moisture: return rounded(70 - 40 * (days / 6).truncatingRemainder(dividingBy: 1) + 0.1 * random.normal(), 10)
        case .calibrated:
            let raw = rounded(600 - 200 * (days / 6).truncatingRemainder(dividingBy: 1) + random.normal(), 1)
            return (raw - 312) / (678 - 312) * 100
        case .noisy: return 20 + random.normal()
        case .constant: return 21.5
        }
    }
}

/// Numbers that are the same in each run.
struct Noise {
    private var state: UInt64

    init(seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 | 1 }

    /// 0 to 1, below it.
    mutating func uniform() -> Double {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return Double(state >> 11) / 9_007_199_254_740_992
    }

    /// About 0, most of it between -1 and 1.
    mutating func normal() -> Double {
        // Twelve would be the usual number; four are normal enough here, and quick.
        (uniform() + uniform() + uniform() + uniform() - 2) * 1.732_050_8
    }
}
