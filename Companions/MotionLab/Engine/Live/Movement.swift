/// What somebody does with a device, by how fast it turns about which axis.
public struct Movement: Sendable, Equatable {
    public enum Direction: UInt8, Sendable, CaseIterable {
        case still = 0
        /// About x: the top edge comes towards whoever looks at the screen.
        case tippingBack = 1
        case tippingForward = 2
        /// About y: the left edge goes down.
        case leaningLeft = 3
        case leaningRight = 4
        /// About z: counter-clockwise, as seen by whoever looks at the screen.
        case turningLeft = 5
        case turningRight = 6
    }

    public var direction: Direction
    /// From about a quarter of a turn a second up.
    public var isFast: Bool

    /// Below this nothing moves, rad/s: a hand that holds a phone still trembles by less.
    public static let stillBelow = 0.08
    /// From here on it is fast, rad/s.
    public static let fastFrom = 1.5

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

    /// How far the original's green rectangle is moved from its place: a rate times half of its size along that axis.
    ///
    /// - Parameters:
    ///   - rate: rad/s.
    ///   - size: the rectangle's, in pixels.
    public static func rectangleOffset(rate: Double, size: Double) -> Double { rate * size / 2 }
}
