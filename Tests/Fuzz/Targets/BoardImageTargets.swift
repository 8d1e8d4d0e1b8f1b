import BoardImages
import DeviceHAL
import DeviceParts
import Wire

extension FuzzTarget {
    static var boardImages: [FuzzTarget] {
        [
            FuzzTarget("board-image", longestInput: 512, dictionary: ["TDMI\\x01"], seeds: [image]) {
                bytes throws(BrokenProperty) in try checkImage(bytes)
            },
            FuzzTarget("board-update", longestInput: 2_048, dictionary: ["TDMI\\x01"], seeds: [image + image]) {
                bytes throws(BrokenProperty) in try checkUpdate(bytes)
            },
        ]
    }

    private static var image: [UInt8] {
        let payload = Array("code".utf8)
        guard let board = ImageName("mps2-an386"), let kind = ImageName("plant-sensor") else { return [] }
        let header = ImageHeader(
            board: board, kind: kind, version: ImageVersion(1, 2, 3), length: payload.count,
            checksum: crc32(payload[...]))
        var bytes: [UInt8] = []
        header.encode(into: &bytes)
        return bytes + payload
    }
}

/// A header that was read is written as it was.
private func checkImage(_ bytes: [UInt8]) throws(BrokenProperty) {
    guard let header = try? ImageHeader(decoding: bytes.span) else {
        try require((try? ImageHeader(checking: bytes.span)) == nil, "a file without a header is none")
        return
    }
    var written: [UInt8] = []
    header.encode(into: &written)
    try require(written == Array(bytes.prefix(ImageHeader.size)), "it is written as it was read")
}

/// Whatever is offered and sent, what runs goes on running: nothing that no key has signed is ready for its try.
private func checkUpdate(_ bytes: [UInt8]) throws(BrokenProperty) {
    guard let board = ImageName("mps2-an386"), let kind = ImageName("plant-sensor") else { return }
    let running = ImageHeader(board: board, kind: kind, version: ImageVersion(1, 0, 0), length: 4, checksum: 0)
    var memory = FlashModel(pageCount: ImageSlots.pageCount)
    var record = BootRecord(pageSize: memory.pageSize)
    var state = BootState()
    state.active = 0
    var update = ImageUpdate(running: running, pageSize: memory.pageSize)
    do throws(FlashError) {
        try record.store(state, &memory)
        try update.mount(&memory)
        try update.offer(Array(bytes.prefix(ImageHeader.size)).span, hasKey: true, &memory)
        _ = try update.take(
            Array(bytes.dropFirst(ImageHeader.size)).span, key: InlineArray(repeating: 0), &memory)
    } catch {
        throw BrokenProperty(description: "the memory failed: \(error)")
    }
    try require(!update.isReady, "nothing unsigned is tried")
}
