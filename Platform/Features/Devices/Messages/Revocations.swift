import HubKit

/// The devices and integrations whose access was revoked, and when, so that older data from the database does not
/// restore it.
struct Revocations {
    /// The number of revocations so far, to be noted before the database is read.
    private(set) var count: UInt64 = 0
    /// The last revocation of each device, by its id. Adults remove devices one by one, so memory holds them all.
    private var latest: [String: UInt64] = [:]

    mutating func add(_ id: String) {
        count += 1
        latest[id] = count
    }

    /// Whether access of `id` was revoked after a count was noted.
    func holds(_ id: String, since count: UInt64) -> Bool { latest[id].map { $0 > count } ?? false }
}
