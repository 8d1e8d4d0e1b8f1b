#if os(Linux)
    import ClientKit
    import Testing

    @Suite("An I2C bus of Linux that cannot be opened")
    struct LinuxI2CBusTests {
        @Test("A missing device file is named, with the command that lists the buses")
        func missing() {
            let error = #expect(throws: LinuxI2CBus.OpenError.self) { try LinuxI2CBus(path: "/dev/i2c-nowhere") }
            #expect(error == .notFound(path: "/dev/i2c-nowhere"))
            #expect(error?.description.contains("/dev/i2c-nowhere") == true)
            #expect(error?.description.contains("ls /dev/i2c-*") == true)
        }

        @Test("A file that is no bus is said to be none", arguments: ["/dev/null", "/tmp"])
        func notABus(path: String) {
            #expect(throws: LinuxI2CBus.OpenError.notABus(path: path)) { try LinuxI2CBus(path: path) }
        }
    }
#endif
