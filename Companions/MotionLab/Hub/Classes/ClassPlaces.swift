import HubKit
import Synchronization

/// The places of classes that guests of each address hold, and the rate at which places are taken.
///
/// A school may be behind one address, and so may a phone that joins for as long as the code holds. Nothing tells them
/// apart, so that what counts are places that are held: one phone leaves some to others, and whoever leaves or is sent
/// away gives theirs back.
///
/// That is for the memory of this process: after a start all addresses hold none. Nobody in a class can start the hub anew, and
/// what counts over all addresses is stored: ``ClassLimits/guests`` and ``ClassLimits/joinedInAll`` hold then too, and a door
/// that is shut stays shut. So the most that a start gives away is another ``ClassLimits/guestsOfAddress`` places of one class,
/// which an adult can take back. To keep more would be to store the addresses of pupils' phones.
final class ClassPlaces: Sendable {
    /// The most classes whose places are counted, of all households.
    private static let mostClasses = 100

    private struct Place {
        var address: String
        /// The key in the rate of an address.
        var key: String
    }

    private let limits: ClassLimits
    private let joins, joinsOfAddress: RateLimiter
    /// The places by the class and the guest.
    private let places = Mutex<[String: [String: Place]]>([:])

    init(_ limits: ClassLimits) {
        self.limits = limits
        joins = RateLimiter(limits.joins, capacity: Self.mostClasses)
        joinsOfAddress = RateLimiter(limits.joinsOfAddress, capacity: 1_000)
    }

    /// Takes a place for a guest, before they are stored.
    ///
    /// - Parameter code: what tells this code of the class from others: with a new one every address begins anew.
    /// - Throws: a 409 problem where the address holds as many as it may, and a 429 problem for too many tries.
    func take(_ guest: String, in inClass: String, code: String, from address: String, now: Int64) throws(Problem) {
        let key = "\(inClass) \(code) \(address)"
        let most = limits.guestsOfAddress
        let isTaken = places.withLock { places in
            let held = places[inClass]?.values.count { $0.address == address } ?? 0
            guard held < most else { return false }
            if places[inClass] == nil, places.count >= Self.mostClasses { places = [:] }
            places[inClass, default: [:]][guest] = Place(address: address, key: key)
            return true
        }
        guard isTaken else {
            throw Problem(
                .conflict, "Too many from here",
                "At most \(most) phones of one network join a class. One that joined more than once can be sent away.")
        }
        do throws(Problem) {
            try joinsOfAddress.checkJoin(key, now: now)
        } catch {
            places.withLock { $0[inClass]?[guest] = nil }
            throw error
        }
        do throws(Problem) {
            try joins.checkJoin(inClass, now: now)
        } catch {
            sentAway(guest, of: inClass)
            throw error
        }
    }

    /// A guest who took a place was not stored: nothing was taken.
    func giveBack(_ guest: String, of inClass: String) {
        sentAway(guest, of: inClass)
        joins.giveBack(inClass)
    }

    /// A guest left. Their place is free, and the try counts: one phone that joins and leaves would be many.
    func left(_ guest: String, _ inClass: String) { places.withLock { $0[inClass]?[guest] = nil } }

    /// A guest was sent away: their address gets the place back, and the try as well.
    func sentAway(_ guest: String, of inClass: String) {
        let place = places.withLock { $0[inClass]?.removeValue(forKey: guest) }
        if let place { joinsOfAddress.giveBack(place.key) }
    }

    /// A class was removed.
    func forget(_ inClass: String) { places.withLock { $0[inClass] = nil } }
}
