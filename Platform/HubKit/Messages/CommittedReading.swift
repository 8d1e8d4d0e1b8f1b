/// A reading that has been committed, with the device it came from.
public struct CommittedReading: Sendable {
    /// The id of the household that the device belongs to.
    public var household: String
    /// The device's id.
    public var device: String
    /// The name of the measured quantity, such as `moisture`.
    public var quantity: String
    /// The series' id in the database.
    public var series: Int64
    /// The time of the measurement, in UTC milliseconds.
    public var at: Int64
    /// The measured value, in the unit of its quantity.
    public var value: Double

    /// Creates a reading.
    public init(household: String, device: String, quantity: String, series: Int64, at: Int64, value: Double) {
        self.household = household
        self.device = device
        self.quantity = quantity
        self.series = series
        self.at = at
        self.value = value
    }
}
