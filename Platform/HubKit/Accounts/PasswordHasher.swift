import Dispatch
import Foundation

/// Derives password hashes one at a time on a thread of its own: they are slow on purpose, and must not hold up the
/// few threads that everything else runs on.
final class PasswordHasher: Sendable {
    private let queue = DispatchQueue(label: "tandem.password")

    func make(_ password: String, cost: PasswordHash.Cost) async throws -> Data {
        try await withCheckedThrowingContinuation { continuation in
            queue.async { continuation.resume(with: Result { try PasswordHash.make(password, cost: cost) }) }
        }
    }

    func matches(_ password: String, _ stored: Data) async -> Bool {
        await withCheckedContinuation { continuation in
            queue.async { continuation.resume(returning: PasswordHash.matches(password, stored)) }
        }
    }
}
