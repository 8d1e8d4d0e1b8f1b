/// scrypt's N, r and p. Kept with each hash, so that they can grow.
public struct PasswordCost: Sendable, Equatable {
    /// N: iterations, a power of two.
    public var rounds: Int
    /// r.
    public var blockSize: Int
    /// p.
    public var parallelism: Int

    public init(rounds: Int, blockSize: Int, parallelism: Int) {
        self.rounds = rounds
        self.blockSize = blockSize
        self.parallelism = parallelism
    }

    /// 32 MiB and some 75 ms on the machine this was measured on.
    public static let standard = PasswordCost(rounds: 1 << 15, blockSize: 8, parallelism: 1)
    /// For tests.
    public static let low = PasswordCost(rounds: 1 << 4, blockSize: 1, parallelism: 1)
}
