import Wire

/// Files for the boot loader that ST's chips have in their ROM, by USB (UM0391, "DfuSe file format specification", revision 1).
public enum DfuSe {
    /// A file of an image, for the first memory of ST's boot loader: the flash memory.
    public static func file(of image: FlashImage) -> [UInt8] {
        var elements: [UInt8] = []
        for piece in image.pieces {
            elements.append(littleEndian: piece.address)
            elements.append(littleEndian: UInt32(piece.bytes.count))
            elements.append(contentsOf: piece.bytes)
        }
        // The target's prefix (2.3.1): its signature, alternate setting 0, no name, size and elements.
        var target = Array("Target".utf8) + [0]
        target.append(littleEndian: UInt32(0))
        target.append(contentsOf: repeatElement(0, count: 255))
        target.append(littleEndian: UInt32(elements.count))
        target.append(littleEndian: UInt32(image.pieces.count))
        // The file's prefix (2.1): its signature, version 1, its size without the suffix, one target.
        var file = Array("DfuSe".utf8) + [1]
        file.append(littleEndian: UInt32(11 + target.count + elements.count))
        file.append(1)
        file.append(contentsOf: target)
        file.append(contentsOf: elements)
        // The suffix (2.2; DFU 1.1, appendix B): any release of ST's device 0483:DF11, version 1.1a, signature, length.
        for word: UInt16 in [0xFFFF, 0xDF11, 0x0483, 0x011A] { file.append(littleEndian: word) }
        file.append(contentsOf: Array("UFD".utf8) + [16])
        // The checksum is not inverted at its end, as others of this polynomial are.
        file.append(littleEndian: ~crc32(file[...]))
        return file
    }
}
