/// The movement of a device in somebody's hand, by its rate about each axis.
public struct Movement: Sendable, Equatable {
    /// The direction of a movement.
    public enum Direction: UInt8, Sendable, CaseIterable {
        case still = 0
        /// Rotation about x: the top edge comes towards the person at the screen.
        case tippingBack = 1
        case tippingForward = 2
        /// Rotation about y: the left edge goes down.
        case leaningLeft = 3
        case leaningRight = 4
        /// Rotation about z: counter-clockwise, as seen by the person at the screen.
        case turningLeft = 5
        case turningRight = 6
    }

    /// The direction.
    public var direction: Direction
    /// Whether the rate is at least ``fastFrom``, about a quarter of a turn a second.
    public var isFast: Bool

    /// The rate below which a device is still, rad/s: a hand that holds a phone still trembles by less.
    public static let stillBelow = 0.08
    /// The rate from which on a movement is fast, rad/s.
    public static let fastFrom = 1.5

    /// The movement of a rate.
    ///
    /// - Parameter rate: rad/s, counter-clockwise as seen from each axis' tip.
    public init(rate: Vector3) {
        let (x, y, z) = (rate.x.magnitude, rate.y.magnitude, rate.z.magnitude)
        isFast = max(x, y, z) >= Self.fastFrom
        if max(x, y, z) < Self.stillBelow {
            direction = .still
        } else if x >= y, x >= z {
            direction = rate.x > 0 ? .tippingBack : .tippingForward
        } else if y >= z {
            direction = rate.y < 0 ? .leaningLeft : .leaningRight
        } else {
            direction = rate.z > 0 ? .turningLeft : .turningRight
        }
    }

    /// The distance by which the original's green rectangle is moved from its place: a rate times half of its size
    /// along that axis.
    ///
    /// - Parameters:
    ///   - rate: rad/s.
    ///   - size: the rectangle's, in pixels.
    public static func rectangleOffset(rate: Double, size: Double) -> Double { rate * size / 2 }
}
