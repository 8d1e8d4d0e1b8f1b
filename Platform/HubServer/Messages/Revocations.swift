import HubKit

/// Whose rights were taken away, and when, so that what was read from the database before does not give them back.
struct Revocations {
    /// How many there were so far: to be asked for before the database is read.
    private(set) var count: UInt64 = 0
    /// The latest of each device, by its id. Adults remove devices one by one: the hub's memory holds them all.
    private var latest: [String: UInt64] = [:]

    mutating func add(_ id: String) {
        count += 1
        latest[id] = count
    }

    /// Whether rights of `id` were taken away after `count` was what is given here.
    func holds(_ id: String, since count: UInt64) -> Bool { latest[id].map { $0 > count } ?? false }
}
