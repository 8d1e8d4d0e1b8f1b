// The functions that the compiler expects of a C library: copying and filling memory. They are loops over bytes and words that are spelled
// out, and call nothing: this module is built without the pass that would make a call of memcpy of the loop in memcpy, and the
// names of ARM's run-time ABI (RTABI, 4.3.4) stand beside those of C, each with a loop of its own, since the compiler turns a
// call of the one into the other.

private typealias Target = UnsafeMutableRawPointer
private typealias Source = UnsafeRawPointer

@inline(__always)
private func copyForwards(_ target: Target, _ source: Source, _ count: UInt) {
    var place = 0
    let end = Int(bitPattern: count)
    if (UInt(bitPattern: target) | UInt(bitPattern: source)) & 3 == 0 {
        while place &+ 4 <= end {
            target.storeBytes(
                of: source.load(fromByteOffset: place, as: UInt32.self), toByteOffset: place, as: UInt32.self)
            place &+= 4
        }
    }
    while place < end {
        target.storeBytes(of: source.load(fromByteOffset: place, as: UInt8.self), toByteOffset: place, as: UInt8.self)
        place &+= 1
    }
}

@inline(__always)
private func copyBackwards(_ target: Target, _ source: Source, _ count: UInt) {
    var place = Int(bitPattern: count)
    while place > 0 {
        place &-= 1
        target.storeBytes(of: source.load(fromByteOffset: place, as: UInt8.self), toByteOffset: place, as: UInt8.self)
    }
}

@inline(never)
private func copy(_ target: Target, _ source: Source, _ count: UInt) { copyForwards(target, source, count) }

@inline(never)
private func move(_ target: Target, _ source: Source, _ count: UInt) {
    if UInt(bitPattern: target) <= UInt(bitPattern: source) {
        copyForwards(target, source, count)
    } else {
        copyBackwards(target, source, count)
    }
}

@inline(never)
private func fill(_ target: Target, _ value: UInt8, _ count: UInt) {
    var place = 0
    let end = Int(bitPattern: count)
    if UInt(bitPattern: target) & 3 == 0 {
        let word = UInt32(value) &* 0x0101_0101
        while place &+ 4 <= end {
            target.storeBytes(of: word, toByteOffset: place, as: UInt32.self)
            place &+= 4
        }
    }
    while place < end {
        target.storeBytes(of: value, toByteOffset: place, as: UInt8.self)
        place &+= 1
    }
}

@c(memcpy) func copyMemory(_ target: UnsafeMutableRawPointer, _ source: UnsafeRawPointer, _ count: UInt)
    -> UnsafeMutableRawPointer
{
    copy(target, source, count)
    return target
}
@c(memmove) func moveMemory(_ target: UnsafeMutableRawPointer, _ source: UnsafeRawPointer, _ count: UInt)
    -> UnsafeMutableRawPointer
{
    move(target, source, count)
    return target
}
@c(memset) func setMemory(_ target: UnsafeMutableRawPointer, _ value: Int32, _ count: UInt) -> UnsafeMutableRawPointer {
    fill(target, UInt8(truncatingIfNeeded: value), count)
    return target
}
@c(memcmp) func compareMemory(_ left: UnsafeRawPointer, _ right: UnsafeRawPointer, _ count: UInt) -> Int32 {
    var place = 0
    while place < Int(bitPattern: count) {
        let one = left.load(fromByteOffset: place, as: UInt8.self)
        let other = right.load(fromByteOffset: place, as: UInt8.self)
        if one != other { return Int32(one) &- Int32(other) }
        place &+= 1
    }
    return 0
}

@c(__aeabi_memcpy) func copyBytes(_ target: UnsafeMutableRawPointer, _ source: UnsafeRawPointer, _ count: UInt) {
    copy(target, source, count)
}
@c(__aeabi_memcpy4) func copyWords(_ target: UnsafeMutableRawPointer, _ source: UnsafeRawPointer, _ count: UInt) {
    copy(target, source, count)
}
@c(__aeabi_memcpy8) func copyDoubleWords(_ target: UnsafeMutableRawPointer, _ source: UnsafeRawPointer, _ count: UInt) {
    copy(target, source, count)
}
@c(__aeabi_memmove) func moveBytes(_ target: UnsafeMutableRawPointer, _ source: UnsafeRawPointer, _ count: UInt) {
    move(target, source, count)
}
@c(__aeabi_memmove4) func moveWords(_ target: UnsafeMutableRawPointer, _ source: UnsafeRawPointer, _ count: UInt) {
    move(target, source, count)
}
@c(__aeabi_memmove8) func moveDoubleWords(_ target: UnsafeMutableRawPointer, _ source: UnsafeRawPointer, _ count: UInt)
{ move(target, source, count) }
// The value stands last here, and second in C.
@c(__aeabi_memset) func setBytes(_ target: UnsafeMutableRawPointer, _ count: UInt, _ value: Int32) {
    fill(target, UInt8(truncatingIfNeeded: value), count)
}
@c(__aeabi_memset4) func setWords(_ target: UnsafeMutableRawPointer, _ count: UInt, _ value: Int32) {
    fill(target, UInt8(truncatingIfNeeded: value), count)
}
@c(__aeabi_memset8) func setDoubleWords(_ target: UnsafeMutableRawPointer, _ count: UInt, _ value: Int32) {
    fill(target, UInt8(truncatingIfNeeded: value), count)
}
@c(__aeabi_memclr) func clearBytes(_ target: UnsafeMutableRawPointer, _ count: UInt) { fill(target, 0, count) }
@c(__aeabi_memclr4) func clearWords(_ target: UnsafeMutableRawPointer, _ count: UInt) { fill(target, 0, count) }
@c(__aeabi_memclr8) func clearDoubleWords(_ target: UnsafeMutableRawPointer, _ count: UInt) { fill(target, 0, count) }
