import BoardImages
import Crypto
import DeviceHAL
import DeviceParts
import Foundation
import Testing
import Wire

/// A board in memory: its flash, the place where images run, and what a hub offers.
struct UpdateBench {
    static let key = Curve25519.Signing.PrivateKey()
    static var publicKey: InlineArray<32, UInt8> {
        var bytes = InlineArray<32, UInt8>(repeating: 0)
        for (index, byte) in key.publicKey.rawRepresentation.enumerated() { bytes[index] = byte }
        return bytes
    }

    var memory = FlashModel(pageCount: ImageSlots.pageCount)
    /// The file that was flashed by cable.
    var flashed: [UInt8]
    /// What runs; nil where nothing does.
    var running: ImageHeader?
    /// The number of the start's reason.
    var start: UInt8 = 0

    init(_ version: UInt16 = 1) {
        flashed = Self.file(version, bytes: 5_000)
        boot()
    }

    static func file(
        _ version: UInt16, bytes: Int, board: StaticString = "mps2-an386", attempt: UInt8 = 0, mayBeOlder: Bool = false
    ) -> [UInt8] {
        let payload = (0..<bytes).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ Int(version)) }
        // Safe, both: they are names.
        let header = ImageHeader(
            board: ImageName(board)!, kind: ImageName("plant-sensor")!, version: ImageVersion(version, 0, 0),
            mayBeOlder: mayBeOlder, attempt: attempt, length: bytes, checksum: crc32(payload[...]))
        var file: [UInt8] = []
        header.encode(into: &file)
        return file + payload
    }

    static func signed(_ file: [UInt8], by key: Curve25519.Signing.PrivateKey = key) throws -> [UInt8] {
        file + Array(try key.signature(for: file))
    }

    /// The boot loader runs, as Firmware/Images/Boot does.
    mutating func boot() {
        memory.powerOn()
        let flashed = flashed
        let whole = try? ImageHeader(checking: flashed.span)
        var choice = BootChoice(pageSize: memory.pageSize)
        let slot = try? choice.choose(flashed: whole, start: start, &memory) { flashed[$0] }
        if let slot {
            running = try? ImageSlots(pageSize: memory.pageSize).whole(slot, &memory)
        } else {
            running = whole
        }
    }

    func update() throws -> (ImageUpdate, FlashModel) {
        var (update, memory) = (ImageUpdate(running: running, pageSize: memory.pageSize), memory)
        try update.mount(&memory)
        return (update, memory)
    }

    static func part(_ file: [UInt8], _ offset: Int) -> [UInt8] {
        let bytes = file[offset..<min(offset + ImageUpdate.part, file.count)]
        var message: [UInt8] = []
        message.put(UInt32(offset))
        message.put(crc32(bytes))
        return message + bytes
    }

    /// Signs in, takes an offer, and asks for part after part.
    /// - Returns: the parts that were asked for.
    @discardableResult
    mutating func signIn(offering file: [UInt8]?, hasKey: Bool = true, most: Int = .max) throws -> [Int] {
        var update = ImageUpdate(running: running, pageSize: memory.pageSize)
        try update.mount(&memory)
        try update.confirm(&memory)
        guard let file else { return [] }
        try update.offer(Array(file.prefix(ImageHeader.size)).span, hasKey: hasKey, &memory)
        var asked: [Int] = []
        while let want = update.want, asked.count < most {
            asked.append(want.offset)
            #expect(try update.take(Self.part(file, want.offset).span, key: Self.publicKey, &memory))
        }
        return asked
    }

    var outcome: BootState.Outcome? {
        get throws { try update().0.outcome }
    }
}

@Suite("Updates of a board")
struct ImageUpdateTests {
    static func version(_ bench: UpdateBench) -> UInt16? { bench.running?.version.major }

    @Test("An image that the hub has signed is tried once, and stays once it has signed in")
    func updated() throws {
        var bench = UpdateBench()
        #expect(Self.version(bench) == 1)
        let new = try UpdateBench.signed(UpdateBench.file(2, bytes: 9_000))
        #expect(try bench.signIn(offering: new).count == (new.count + 255) / 256)
        bench.boot()
        #expect(Self.version(bench) == 2)
        try bench.signIn(offering: nil)
        bench.boot()
        #expect(Self.version(bench) == 2)
        #expect(try bench.outcome?.result == .updated)
        #expect(bench.memory.overwrites == 0)
    }

    @Test("An image that does not sign in is gone at the next start, with the reason of that, and is not taken again")
    func wentBack() throws {
        var bench = UpdateBench()
        let new = try UpdateBench.signed(UpdateBench.file(2, bytes: 9_000))
        try bench.signIn(offering: new)
        bench.boot()
        bench.start = 7
        bench.boot()
        #expect(Self.version(bench) == 1)
        #expect(try bench.outcome?.result == .wentBack(start: 7))
        #expect(try bench.signIn(offering: new).isEmpty)
        // The hub tries it once more by another number.
        let again = try UpdateBench.signed(UpdateBench.file(2, bytes: 9_000, attempt: 1))
        try bench.signIn(offering: again)
        bench.boot()
        try bench.signIn(offering: nil)
        #expect(Self.version(bench) == 2)
    }

    @Test("What another key has signed, another board's, an older one, and a changed one are refused by their names")
    func refused() throws {
        let stranger = Curve25519.Signing.PrivateKey()
        var changed = try UpdateBench.signed(UpdateBench.file(2, bytes: 3_000))
        changed[200] ^= 1
        let cases: [(file: [UInt8], hasKey: Bool, fault: ImageFault)] = [
            (try UpdateBench.signed(UpdateBench.file(2, bytes: 3_000), by: stranger), true, .signature),
            (try UpdateBench.signed(UpdateBench.file(2, bytes: 3_000, board: "stm32f405")), true, .otherBoard),
            (try UpdateBench.signed(UpdateBench.file(1, bytes: 3_000)), true, .older),
            (try UpdateBench.signed(UpdateBench.file(2, bytes: 3_000)), false, .noKey),
            (changed, true, .payloadChecksum),
        ]
        for (file, hasKey, fault) in cases {
            var bench = UpdateBench(fault == .older ? 3 : 1)
            let before = bench.running
            try bench.signIn(offering: file, hasKey: hasKey)
            #expect(try bench.outcome?.result == .refused(fault))
            bench.boot()
            #expect(bench.running == before)
        }
    }

    @Test("An older image that may be older is taken")
    func older() throws {
        var bench = UpdateBench(3)
        try bench.signIn(offering: UpdateBench.signed(UpdateBench.file(1, bytes: 3_000, mayBeOlder: true)))
        bench.boot()
        #expect(Self.version(bench) == 1)
    }

    @Test("After a restart a device asks from the last whole page on, and of another image from the beginning")
    func resumed() throws {
        var bench = UpdateBench()
        let new = try UpdateBench.signed(UpdateBench.file(2, bytes: 12_000))
        try bench.signIn(offering: new, most: 20)
        bench.boot()
        #expect(try bench.signIn(offering: new).first == 4_096)
        bench = UpdateBench()
        try bench.signIn(offering: new, most: 20)
        let other = try UpdateBench.signed(UpdateBench.file(3, bytes: 12_000))
        #expect(try bench.signIn(offering: other).first == 0)
        bench.boot()
        #expect(Self.version(bench) == 3)
    }

    @Test("A part that is spoilt, from another place, too short or too long changes nothing, and is asked for again")
    func parts() throws {
        let bench = UpdateBench()
        let new = try UpdateBench.signed(UpdateBench.file(2, bytes: 3_000))
        var (update, memory) = try bench.update()
        try update.offer(Array(new.prefix(ImageHeader.size)).span, hasKey: true, &memory)
        let good = UpdateBench.part(new, 0)
        var spoilt = good
        spoilt[100] ^= 1
        for message in [
            spoilt, UpdateBench.part(new, 256), Array(good.dropLast()), good + [0], [], Array(good.prefix(8)),
        ] {
            #expect(try !update.take(message.span, key: UpdateBench.publicKey, &memory))
        }
        #expect(update.want?.offset == 0)
        #expect(try update.take(good.span, key: UpdateBench.publicKey, &memory))
        #expect(update.want?.offset == 256)
    }

    @Test("The power cut at any write of an update, and of its first starts, leaves the old image or the new one")
    func cuts() throws {
        let new = try UpdateBench.signed(UpdateBench.file(2, bytes: 4_500))
        // All writes of an uncut run are counted first; some hundred of them are cut.
        var whole = UpdateBench()
        let before = whole.memory.writes
        try whole.signIn(offering: new)
        whole.boot()
        try whole.signIn(offering: nil)
        let writes = whole.memory.writes - before
        var seen: Set<UInt16> = []
        for cut in Array(stride(from: 0, to: writes, by: 23)) + Array(max(writes - 120, 0)...writes) {
            var bench = UpdateBench()
            bench.memory.faults.cutAfter = cut
            do {
                try bench.signIn(offering: new)
                bench.boot(keepingCut: true)
                try bench.signIn(offering: nil)
            } catch {}
            bench.boot()
            let version = try #require(Self.version(bench), "nothing runs after a cut at write \(cut)")
            seen.insert(version)
            // And whatever it is, it can still be updated.
            try bench.signIn(offering: UpdateBench.signed(UpdateBench.file(4, bytes: 2_000, attempt: 9)))
            bench.boot()
            #expect(Self.version(bench) == 4)
        }
        #expect(seen == [1, 2])
    }

    @Test("The power cut at any write of the first start leaves the image that was flashed")
    func firstStart() throws {
        let empty = FlashModel(pageCount: ImageSlots.pageCount)
        var whole = UpdateBench()
        let writes = whole.memory.writes
        #expect(writes > 5_000)
        for cut in stride(from: 0, through: writes, by: 41) {
            whole.memory = empty
            whole.memory.faults.cutAfter = cut
            whole.boot(keepingCut: true)
            whole.boot()
            #expect(Self.version(whole) == 1)
            #expect(try whole.update().0.isPossible)
        }
    }

    @Test("An image that is flashed by cable later takes the place of both")
    func flashedAnew() throws {
        var bench = UpdateBench()
        try bench.signIn(offering: UpdateBench.signed(UpdateBench.file(2, bytes: 3_000)))
        bench.boot()
        try bench.signIn(offering: nil)
        bench.flashed = UpdateBench.file(1, bytes: 4_000)
        bench.boot()
        #expect(Self.version(bench) == 1)
        bench.boot()
        #expect(Self.version(bench) == 1)
    }
}

extension UpdateBench {
    /// Starts with the power that may still be cut.
    mutating func boot(keepingCut: Bool) {
        let flashed = flashed
        let whole = try? ImageHeader(checking: flashed.span)
        var choice = BootChoice(pageSize: memory.pageSize)
        guard let slot = try? choice.choose(flashed: whole, start: start, &memory, byte: { flashed[$0] }) else {
            return
        }
        running = try? ImageSlots(pageSize: memory.pageSize).whole(slot, &memory)
    }
}
