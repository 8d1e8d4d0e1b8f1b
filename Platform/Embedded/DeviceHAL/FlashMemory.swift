/// NOR flash: erasing a page sets all its bits, programming only clears bits, in the order of the bytes.
///
/// A power cut in the middle of a call leaves the bytes before some place programmed, one byte undefined and the others as
/// they were; in the middle of an erasure it leaves the whole page undefined (JEDEC JESD47, and the data sheet of each part).
public protocol FlashMemory {
    /// Bytes of a page, the smallest unit that can be erased.
    var pageSize: Int { get }
    /// The number of pages.
    var pageCount: Int { get }

    /// Fills `bytes` from an address, which counts from the first byte of the first page.
    mutating func read<let count: Int>(into bytes: inout InlineArray<count, UInt8>, at address: Int) throws(FlashError)

    /// Clears the bits that are not set in `bytes`. May cross pages.
    mutating func program(_ bytes: Span<UInt8>, at address: Int) throws(FlashError)

    /// Sets all bits of a page.
    mutating func erase(page: Int) throws(FlashError)
}

/// The reason why an access to a flash memory failed.
public enum FlashError: Error, Equatable, Sendable {
    /// The address is outside of the memory.
    case outOfRange
    /// The memory did not finish within the time in its data sheet, or does not answer.
    case timedOut
    /// A bit did not take: the cell is worn out.
    case wornOut
    /// The supply is too low to write.
    case brownOut
}
