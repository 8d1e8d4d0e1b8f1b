import HTTPTypes
import HubKit
import Localization
import Synchronization

/// The number of changes by a child's profile in the last hour, for each device and profile. Changes that waited on a
/// phone for weeks arrive at once and are far fewer than the limit; a stuck finger or a program makes more.
public final class ChildChanges: Sendable {
    private struct Hour {
        /// The start of the hour, in UTC milliseconds.
        var begins: Int64
        var count: Int
    }

    private static let hourMilliseconds: Int64 = 3_600_000
    /// The number of hours above which those that are over are dropped.
    private static let mostStored = 1_000
    private let hours = Mutex<[String: Hour]>([:])

    /// Creates the count, of nothing yet.
    public init() {}

    /// Counts a change.
    ///
    /// - Parameters:
    ///   - member: the caller.
    ///   - limit: the number of changes in an hour.
    ///   - now: the current time, in UTC milliseconds.
    /// - Throws: a 429 problem with the time to wait, for which an outbox keeps the change.
    public func take(_ member: Member, limit: Int, now: Int64) throws(Problem) {
        let key = "\(member.signIn) \(member.profile.id)"
        let wait = hours.withLock { hours -> Int64? in
            var hour = hours[key] ?? Hour(begins: now, count: 0)
            if now < hour.begins || now - hour.begins >= Self.hourMilliseconds { hour = Hour(begins: now, count: 0) }
            guard hour.count < limit else { return hour.begins + Self.hourMilliseconds - now }
            hour.count += 1
            if hours.count >= Self.mostStored {
                hours = hours.filter { now >= $0.value.begins && now - $0.value.begins < Self.hourMilliseconds }
            }
            hours[key] = hour
            return nil
        }
        guard let wait else { return }
        let minutes = Int((wait + 59_999) / 60_000)
        throw Problem(
            .tooManyRequests, "Enough for now",
            "\(member.profile.name)’s profile has changed \(limit) things within an hour. Wait \(LocalizedText("\(minutes) minutes")), or let an adult do it. What waits on this device stays there until then.",
            retryAfter: Int((wait + 999) / 1_000))
    }
}
