/// The bytes that a serial line has brought and that were not taken: a ring in memory that the linker script keeps free.
///
/// The interrupt is the only writer of its head, the loop of its tail, so that neither waits for the other. Each is a count that
/// wraps around; how many bytes lie in it is their difference.
public struct Queue {
    /// The bytes that a ring holds, a power of two.
    public static var capacity: UInt32 { 256 }
    /// The bytes that a ring takes of the memory, with its two counts.
    private static var stride: UInt { 264 }

    private let base: UInt

    /// A ring by its number, from 0 on; the linker script says how many there are.
    @inline(__always)
    public init(_ number: UInt) { self.init(number, from: address(queues)) }

    /// A ring by its number, where the first of them lies at an address.
    @inline(__always)
    public init(_ number: UInt, from first: UInt) { base = first + number * Self.stride }

    private var head: Register { @inline(__always) get { register(base) } }
    private var tail: Register { @inline(__always) get { register(base + 4) } }

    @inline(__always)
    private func byte(_ count: UInt32) -> MemoryByte {
        MemoryByte(base + 8 + UInt(count & (Self.capacity - 1)))
    }

    /// Whether there is no room for another byte.
    @inline(__always)
    public var isFull: Bool { head.load() &- tail.load() == Self.capacity }

    /// Whether there is no byte.
    @inline(__always)
    public var isEmpty: Bool { head.load() == tail.load() }

    /// Appends a byte. To be called by the interrupt alone, and not of a ring that is full.
    @inline(__always)
    public func append(_ new: UInt8) {
        let count = head.load()
        byte(count).store(new)
        head.store(count &+ 1)
    }

    /// Takes the oldest byte out. To be called by the loop alone.
    @inline(__always)
    public func takeFirst() -> UInt8? {
        let count = tail.load()
        guard head.load() != count else { return nil }
        let first = byte(count).load()
        tail.store(count &+ 1)
        return first
    }
}

@_extern(c, "_queues") func queues()
