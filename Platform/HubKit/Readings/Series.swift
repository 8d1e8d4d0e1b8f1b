import NIOCore

/// A series as the recorder holds it. Lives on the listener's event loop.
package final class Series {
    let id: Int64
    let household: String
    let device: String
    let quantity: String
    /// `quantity` as it stands in a message.
    package let key: ByteBuffer
    /// The last of the recorder's batches that it is in.
    var batch: UInt64 = 0
    /// The last time the hub chose for a reading that came without one.
    private var assigned: Int64
    /// What the clock showed then; nil before the first since the start.
    private var clock: Int64?

    init(id: Int64, household: String, device: String, quantity: String, assigned: Int64) {
        self.id = id
        self.household = household
        self.device = device
        self.quantity = quantity
        key = ByteBuffer(string: quantity)
        self.assigned = assigned
    }

    /// How far the clock goes back where it is corrected in passing, milliseconds: ten minutes. Beyond it, it was wrong.
    private static let corrected: Int64 = 600_000

    /// A receive time made strictly increasing, so that two readings of one millisecond are two: a sensor that sends more than
    /// a thousand a second is ahead of the clock for a while. Where the clock was far ahead and is right again, it is the time
    /// that the clock shows: readings do not follow a wrong one for years.
    func assignTime(now: Int64) -> Int64 {
        let isSetBack = now < (clock ?? assigned) - Self.corrected
        clock = now
        assigned = isSetBack ? now : max(now, assigned + 1)
        return assigned
    }
}
