import CortexM

// The second stage of the boot. **Not tried on hardware**: QEMU has no RP2040, and what these pages say is from its data sheet
// (RP2040 Datasheet, build of 2024-10-15), tried on a model of it (Firmware/Tests/test_pico.py).

/// The first 256 bytes of the flash memory, which the boot ROM copies into memory and runs from there: it makes the flash memory
/// readable at its addresses, and goes on to the image's vector table (2.8.1.2, 2.8.1.3).
///
/// The function runs wherever it was copied to, and neither calls nor reads what lies elsewhere: an address that the linker knows would be taken
/// from a table. That of the vectors is a number.
@c(boot_stage2)
public func bootStage2() {
    ExecuteInPlace.begin()
    // VTOR (2.4.8).
    register(0xE000_ED08).store(0x1000_0100)
    jumpToTable(0x1000_0100)
}

/// Reading the flash memory at its addresses, by the serial interface of its pins (4.10).
enum ExecuteInPlace {
    private static var base: UInt { 0x1800_0000 }

    /// Has each access become a serial read, by the command 03h, which all such memories know (4.10.5, 4.10.13).
    ///
    /// A bit a clock is the slowest way and needs nothing of the maker's: the cache of 16 KB bears most of it.
    @inline(__always)
    static func begin() {
        // SSI_SSIENR: off, to be set up.
        register(base + 0x08).store(0)
        // SSI_BAUDR: half of the processor's 48 MHz; the command is good for 50 MHz (data sheet W25Q16JV, 9.6).
        register(base + 0x14).store(2)
        // SSI_CTRLR0: bits 20:16 frames of 32 bits, 9:8 a command is sent and then read; SSI_CTRLR1: one frame.
        register(base).store(31 << 16 | 3 << 8)
        register(base + 0x04).store(0)
        // SSI_SPI_CTRLR0: bits 31:24 the command, 9:8 it has 8 bits, 5:2 the address 24, by fours.
        register(base + 0xF4).store(0x03 << 24 | 2 << 8 | 6 << 2)
        register(base + 0x08).store(1)
    }
}

@_extern(c, "_jump_to_table") func jumpToTable(_ table: UInt)
