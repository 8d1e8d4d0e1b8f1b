import Testing

@testable import HubServer

@Suite("Memory that is given back")
struct MemoryTrimmerTests {
    @Test("Code and the constants in front of it are let go of, and nothing that can have been written")
    func ranges() {
        let maps = """
            1000-2000 r--p 00000000 fe:00 12                         /usr/bin/tandem
            2000-5000 r-xp 00001000 fe:00 12                         /usr/bin/tandem
            5000-6000 r--p 00004000 fe:00 12                         /usr/bin/tandem
            6000-7000 rw-p 00005000 fe:00 12                         /usr/bin/tandem
            8000-9000 rw-p 00000000 00:00 0                          [heap]
            a000-b000 r--p 00000000 fe:00 13                         /data/tandem.sqlite-shm
            b000-c000 rw-s 00000000 fe:00 13                         /data/tandem.sqlite-shm
            d000-e000 r-xp 00000000 00:00 0                          [vdso]
            e000-f000 r-xp 00000000 fe:00 14                         /lib/with a blank.so
            """
        #expect(MemoryTrimmer.codeRanges(maps) == [0x1000..<0x2000, 0x2000..<0x5000, 0xE000..<0xF000])
    }

    @Test("Code that was let go of runs again")
    func runs() {
        MemoryTrimmer.releaseCode()
        #expect((0..<100).map { "\($0)" }.joined().count == 190)
    }
}
