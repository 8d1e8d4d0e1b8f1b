/// The cost of a password hash: scrypt's parameters N, r and p. It is stored with each hash, so that it can be raised.
public struct PasswordCost: Sendable, Equatable {
    /// The cost N, a power of two.
    public var rounds: Int
    /// The block size r.
    public var blockSize: Int
    /// The parallelization p.
    public var parallelism: Int

    /// Creates a cost from scrypt's parameters.
    public init(rounds: Int, blockSize: Int, parallelism: Int) {
        self.rounds = rounds
        self.blockSize = blockSize
        self.parallelism = parallelism
    }

    /// The cost of new hashes: 32 MiB and some 75 ms on the machine on which it was measured.
    public static let standard = PasswordCost(rounds: 1 << 15, blockSize: 8, parallelism: 1)
    /// A low cost for tests.
    public static let low = PasswordCost(rounds: 1 << 4, blockSize: 1, parallelism: 1)
}
