import CortexM

// The memory of arrays, which the engines have in the hub and in pages, and no image of a device has: blocks in powers of two,
// with a list of free ones for each size; the linker gives them the names malloc and free, which the compiler keeps for itself. The word before a block holds its size.

@_extern(c, "_heap_start") func heapStart()
@_extern(c, "_heap_end") func heapEnd()

// Safe, both of them: there is one thread, and no interrupt allocates.
nonisolated(unsafe) private var top: UInt = 0
nonisolated(unsafe) private var free:
    (
        UInt, UInt, UInt, UInt, UInt, UInt, UInt, UInt, UInt, UInt, UInt, UInt, UInt, UInt, UInt, UInt, UInt, UInt,
        UInt, UInt
    ) =
        (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)

/// The bytes before a block, which keep it aligned to 16.
private let head: UInt = 16

@inline(__always)
private func list<Result>(_ kind: Int, _ body: (UnsafeMutablePointer<UInt>) -> Result) -> Result {
    withUnsafeMutablePointer(to: &free) { lists in
        lists.withMemoryRebound(to: UInt.self, capacity: 20) { body($0 + kind) }
    }
}

@c(block_allocate) func allocate(_ size: UInt) -> UnsafeMutableRawPointer? {
    // From 32 bytes on, and with the head.
    let needed = max(size + head, 32)
    let kind = Int.bitWidth - (needed - 1).leadingZeroBitCount - 5
    guard kind < 20 else { return nil }
    let spare = list(kind) { $0.pointee }
    if spare != 0 {
        list(kind) { $0.pointee = register(spare + head).load().place }
        return UnsafeMutableRawPointer(bitPattern: spare + head)
    }
    if top == 0 { top = (address(heapStart) + 15) & ~15 }
    let start = top
    let end = start + (32 << UInt(kind))
    guard end <= address(heapEnd) else { return nil }
    top = end
    register(start).store(UInt32(kind))
    return UnsafeMutableRawPointer(bitPattern: start + head)
}

@c(block_release) func release(_ block: UnsafeMutableRawPointer?) {
    guard let block else { return }
    let start = UInt(bitPattern: block) - head
    let kind = Int(register(start).load())
    register(start + head).store(UInt32(list(kind) { $0.pointee }))
    list(kind) { $0.pointee = start }
}

@c(posix_memalign) func allocateAligned(
    _ block: UnsafeMutablePointer<UnsafeMutableRawPointer?>, _ alignment: UInt, _ size: UInt
) -> Int32 {
    guard alignment <= head else { return 22 }
    block.pointee = allocate(size)
    // ENOMEM
    return block.pointee == nil ? 12 : 0
}

extension UInt32 {
    fileprivate var place: UInt { UInt(self) }
}
