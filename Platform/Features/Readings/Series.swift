import NIOCore

/// A series as the batch writer holds it, on the event loop of the MQTT listener only.
public final class Series {
    let id: Int64
    let household: String
    let device: String
    let quantity: String
    /// The name of the quantity as it appears in messages.
    public let key: ByteBuffer
    /// The number of the batch writer's last batch that has a reading of it.
    var batch: UInt64 = 0
    /// The last time that the hub assigned to a reading without one, in UTC milliseconds.
    private var assigned: Int64
    /// The clock's time at that moment; nil before the first since the start.
    private var clock: Int64?

    init(id: Int64, household: String, device: String, quantity: String, assigned: Int64) {
        self.id = id
        self.household = household
        self.device = device
        self.quantity = quantity
        key = ByteBuffer(string: quantity)
        self.assigned = assigned
    }

    /// The time by which a clock may be set back in a normal correction, in milliseconds: ten minutes. Beyond that, it
    /// was wrong before.
    private static let corrected: Int64 = 600_000

    /// The time for a reading that comes without one: the time of receipt, made strictly increasing, so that two
    /// readings of one millisecond stay two. A sensor that sends more than a thousand a second is ahead of the clock
    /// for a while. If the clock was far ahead and has been corrected, the corrected time is used, so that readings do
    /// not follow a wrong clock for years.
    func assignTime(now: Int64) -> Int64 {
        let isSetBack = now < (clock ?? assigned) - Self.corrected
        clock = now
        assigned = isSetBack ? now : max(now, assigned + 1)
        return assigned
    }
}
