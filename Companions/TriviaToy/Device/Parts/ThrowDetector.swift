import TriviaToyEngine

/// The limits of a throw and a shake. Accelerations are thousandths of g, times milliseconds.
public struct ThrowSettings: Equatable, Sendable {
    /// The acceleration below which the toy falls.
    public var freeFall: UInt32 = 350
    /// The acceleration below which the toy flies, when a push came before: a toy that spins in the air feels its own
    /// rotation.
    public var flight: UInt32 = 500
    /// The least acceleration of a push before a flight.
    public var push: UInt32 = 1_700
    /// The longest time from a push to a flight.
    public var pushAge: UInt32 = 300
    /// The shortest fall: 200 ms is 20 cm, longer than the flight in a runner's step.
    public var shortestFall: UInt32 = 200
    /// The longest fall: 3 s is 44 m.
    public var longestFall: UInt32 = 3_000
    /// The least acceleration of the landing, or the catch.
    public var impact: UInt32 = 2_000
    /// The longest time from the fall to the landing.
    public var impactWithin: UInt32 = 150
    /// The least acceleration of a jolt of a shake, beside gravity. A runner's bag feels at most 1 g downwards beside
    /// it.
    public var jolt: UInt32 = 1_500
    /// The number of jolts of a shake, each in the opposite direction of the one before.
    public var joltsNeeded: UInt8 = 4
    /// The longest time from one jolt to the next.
    public var joltWithin: UInt32 = 300
    /// The least time after a trigger before the next.
    public var pause: UInt32 = 1_500
    /// The least time after the last bounce before the next trigger.
    public var settle: UInt32 = 600

    /// The original's rule: the least difference of an axis from the sample before (15,000 counts at +-2 g).
    public var originalDifference: Int32 = 915
    /// The original's interval between samples.
    public var originalInterval: UInt32 = 500

    /// The settings that the tests check.
    public init() {}
}

/// The detector of throws, falls and shakes in 200 accelerations a second. No floating point, no heap.
public struct ThrowDetector: Sendable {
    /// The limits that it uses.
    public var settings: ThrowSettings
    /// Whether only the original's rule is used, with its 500 ms.
    public var usesOriginalRule = false

    private var motion = Motion.rest
    private var pushedAt: UInt32?
    private var triggeredAt: UInt32?
    private var shakenAt: UInt32?
    /// The mean of gravity, 64 times thousandths of g, slowly following.
    private var gravity: (x: Int32, y: Int32, z: Int32)?
    private var axes: (Axis, Axis, Axis) = (Axis(), Axis(), Axis())
    private var original: (sample: Acceleration, at: UInt32)?

    private enum Motion {
        case rest
        case falling(since: UInt32, pushed: Bool)
        case landing(since: UInt32, pushed: Bool)
    }

    /// The jolts along one axis.
    private struct Axis {
        var isPositive = false
        var count: UInt8 = 0
        var at: UInt32 = 0
    }

    /// A detector at rest.
    public init(settings: ThrowSettings = ThrowSettings()) { self.settings = settings }

    /// Discards the motion that has begun, after samples were missed.
    public mutating func reset() {
        motion = .rest
        pushedAt = nil
        gravity = nil
        axes = (Axis(), Axis(), Axis())
        original = nil
    }

    /// Adds a sample.
    /// - Returns: the motion of the toy, at the instant of the landing or of the last jolt.
    public mutating func take(_ sample: Acceleration, at now: UInt32) -> PlayCause? {
        guard !usesOriginalRule else { return takeOriginal(sample, now) }
        let square = sample.squaredLength
        let shaken = takeJolts(sample, now)
        if let pushed = pushedAt, now &- pushed > settings.longestFall { pushedAt = nil }
        let landed = takeFall(square, now)
        if square > settings.push * settings.push {
            pushedAt = now
            // What comes soon after a trigger is its bounces; what comes later is the push of another throw.
            if let triggered = triggeredAt, now &- triggered < settings.pause { shakenAt = now }
        }
        guard let cause = landed ?? (shaken ? .shaken : nil) else { return nil }
        guard mayTrigger(now) else { return nil }
        triggeredAt = now
        shakenAt = now
        axes = (Axis(), Axis(), Axis())
        return cause
    }

    private mutating func mayTrigger(_ now: UInt32) -> Bool {
        if let triggered = triggeredAt, now &- triggered < settings.pause { return false }
        triggeredAt = nil
        return true
    }

    // MARK: - Falls

    private mutating func takeFall(_ square: UInt32, _ now: UInt32) -> PlayCause? {
        switch motion {
        case .rest:
            let pushed = pushedAt.map { now &- $0 <= settings.pushAge } ?? false
            let limit = pushed ? settings.flight : settings.freeFall
            if square < limit * limit { motion = .falling(since: now, pushed: pushed) }
        case .falling(let since, let pushed):
            let limit = pushed ? settings.flight : settings.freeFall
            guard square >= limit * limit else { break }
            let duration = now &- since
            guard duration >= settings.shortestFall, duration <= settings.longestFall else {
                motion = .rest
                break
            }
            motion = .landing(since: now, pushed: pushed)
            return land(square, now, pushed)
        case .landing(let since, let pushed):
            if let cause = land(square, now, pushed) { return cause }
            if now &- since > settings.impactWithin { motion = .rest }
        }
        return nil
    }

    private mutating func land(_ square: UInt32, _ now: UInt32, _ pushed: Bool) -> PlayCause? {
        guard square > settings.impact * settings.impact else { return nil }
        motion = .rest
        // A bounce is no new throw: the toy comes to rest first.
        if let shaken = shakenAt, triggeredAt != nil, now &- shaken < settings.settle { return nil }
        return pushed ? .thrown : .dropped
    }

    // MARK: - Shakes

    private mutating func takeJolts(_ sample: Acceleration, _ now: UInt32) -> Bool {
        guard var mean = gravity else {
            gravity = (sample.x * 64, sample.y * 64, sample.z * 64)
            return false
        }
        let x = takeJolt(sample.x - mean.x / 64, &axes.0, now)
        let y = takeJolt(sample.y - mean.y / 64, &axes.1, now)
        let z = takeJolt(sample.z - mean.z / 64, &axes.2, now)
        mean = (mean.x + sample.x - mean.x / 64, mean.y + sample.y - mean.y / 64, mean.z + sample.z - mean.z / 64)
        gravity = mean
        return x || y || z
    }

    private func takeJolt(_ difference: Int32, _ axis: inout Axis, _ now: UInt32) -> Bool {
        if axis.count > 0, now &- axis.at > settings.joltWithin { axis.count = 0 }
        guard difference.magnitude > settings.jolt else { return false }
        let isPositive = difference > 0
        guard axis.count == 0 || axis.isPositive != isPositive else { return false }
        axis.isPositive = isPositive
        axis.count += 1
        axis.at = now
        guard axis.count >= settings.joltsNeeded else { return false }
        axis.count = 0
        return true
    }

    // MARK: - The original

    private mutating func takeOriginal(_ sample: Acceleration, _ now: UInt32) -> PlayCause? {
        func clipped(_ value: Int32) -> Int32 { min(max(value, -2_000), 1_999) }
        let current = Acceleration(x: clipped(sample.x), y: clipped(sample.y), z: clipped(sample.z))
        guard let last = original else {
            original = (current, now)
            return nil
        }
        guard now &- last.at >= settings.originalInterval else { return nil }
        original = (current, now)
        let difference = max(
            abs(current.x - last.sample.x), abs(current.y - last.sample.y), abs(current.z - last.sample.z))
        return difference > settings.originalDifference ? .jolted : nil
    }
}
