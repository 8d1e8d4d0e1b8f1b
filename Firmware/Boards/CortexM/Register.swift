import _Volatile

/// A register of the processor or of a part of it, 32 bits at an address.
public struct Register {
    private let place: VolatileMappedRegister<UInt32>

    /// The register at an address.
    @inline(__always)
    public init(_ address: UInt) { place = VolatileMappedRegister(unsafeBitPattern: address) }

    /// Reads it.
    @inline(__always)
    public func load() -> UInt32 { place.load() }

    /// Writes it.
    @inline(__always)
    public func store(_ value: UInt32) { place.store(value) }

    /// Sets bits, and leaves the others as they are.
    @inline(__always)
    public func set(_ bits: UInt32) { store(load() | bits) }

    /// Clears bits, and leaves the others as they are.
    @inline(__always)
    public func clear(_ bits: UInt32) { store(load() & ~bits) }
}

/// The register at an address.
@inline(__always)
public func register(_ address: UInt) -> Register { Register(address) }

/// A byte of memory at an address, which an interrupt, a part or a file changes too.
public struct MemoryByte {
    private let place: VolatileMappedRegister<UInt8>

    /// The byte at an address.
    @inline(__always)
    public init(_ address: UInt) { place = VolatileMappedRegister(unsafeBitPattern: address) }

    /// Reads it.
    @inline(__always)
    public func load() -> UInt8 { place.load() }

    /// Writes it.
    @inline(__always)
    public func store(_ value: UInt8) { place.store(value) }
}
