/// The numbers that a session goes by.
public enum SessionRules {
    /// The fastest reaction, milliseconds, that a person can have to a light: what is faster is answered, and left out of
    /// every statistic of reaction times.
    public static let leastReaction: Int32 = 150
    /// The longest absence, milliseconds, that a session goes on after.
    public static let longestAbsence: Int64 = 1_800_000
}
