import Board
import BoardImages
import CortexM
import DeviceHAL
import DeviceParts

/// The boot loader, which the start-up calls: chooses a slot, puts its image where images run, and runs it.
///
/// The watchdog is on from here: an image that does not come to feeding it has had its try. Signatures were verified when the slot
/// was written; here a checksum says that all of it is there.
@c(firmware_main)
func firmwareMain() {
    Watchdog.start()
    var memory = Flash(pageCount: ImageSlots.pageCount)
    do throws(FlashError) {
        var choice = BootChoice(pageSize: memory.pageSize)
        let slot = try choice.choose(
            flashed: ImagePlace.whole, start: UInt8(truncatingIfNeeded: Processor.start.rawValue), &memory
        ) { ImagePlace.byte($0) }
        if let slot { try fill(from: slot, &memory) }
    } catch {
        // A memory that does not answer: what was flashed runs, if it is there.
    }
    if ImagePlace.whole != nil { Processor.run(at: ImagePlace.table) }
    // The wait for the watchdog, where there is nothing to run: it has the board look again.
    while true {}
}

private func fill(from slot: UInt8, _ memory: inout Flash) throws(FlashError) {
    let slots = ImageSlots(pageSize: memory.pageSize)
    guard let header = try slots.header(slot, &memory) else { return }
    var place = 0
    try slots.read(slot, 0..<ImageHeader.size + header.length, &memory) { piece in
        ImagePlace.put(piece, at: place)
        place += piece.count
    }
}

/// SwiftPM links an executable by its `main`, which nothing calls: the linker takes it out again.
@main
enum Entry {
    static func main() { firmwareMain() }
}
