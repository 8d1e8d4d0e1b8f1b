/// Packs steps into bytes: eight to a byte, the first in the lowest bit, padded with zeros.
public func packed(_ steps: [Bool]) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: (steps.count + 7) / 8)
    for index in 0..<steps.count where steps[index] { bytes[index / 8] |= 1 << UInt8(index % 8) }
    return bytes
}

/// Unpacks a number of steps from bytes; nil where the padding is not zero.
func unpacked(_ bytes: [UInt8], count: Int) -> [Bool]? {
    var steps: [Bool] = []
    steps.reserveCapacity(count)
    for index in 0..<bytes.count * 8 {
        let isOn = bytes[index / 8] & (1 << UInt8(index % 8)) != 0
        if index < count {
            steps.append(isOn)
        } else if isOn {
            return nil
        }
    }
    return steps
}
