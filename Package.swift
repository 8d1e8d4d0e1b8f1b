// swift-tools-version: 6.2
import PackageDescription

/// What every target is built with: Swift 6 mode, and a warning is an error.
let strict: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    // A release is tested as it is: the unit tests reach into the build that people get.
    .unsafeFlags(["-enable-testing"], .when(configuration: .release)),
]
/// What tests are built with: of a release they are not what runs fast.
let tests = strict + [.unsafeFlags(["-Onone"], .when(configuration: .release))]

let nio: [Target.Dependency] = [
    .product(name: "NIOCore", package: "swift-nio"),
    .product(name: "NIOPosix", package: "swift-nio"),
]
let logging = Target.Dependency.product(name: "Logging", package: "swift-log")
let crypto = Target.Dependency.product(name: "Crypto", package: "swift-crypto")
let cryptoExtras = Target.Dependency.product(name: "CryptoExtras", package: "swift-crypto")
let lifecycle = Target.Dependency.product(name: "ServiceLifecycle", package: "swift-service-lifecycle")
let hummingbird = Target.Dependency.product(name: "Hummingbird", package: "hummingbird")
let httpTypes = Target.Dependency.product(name: "HTTPTypes", package: "swift-http-types")
let nioSSL = Target.Dependency.product(name: "NIOSSL", package: "swift-nio-ssl")
let nioHTTP1 = Target.Dependency.product(name: "NIOHTTP1", package: "swift-nio")
let nioWebSocket = Target.Dependency.product(name: "NIOWebSocket", package: "swift-nio")
let grdb: [Target.Dependency] = [
    .product(name: "GRDB", package: "GRDB.swift"),
    .product(name: "GRDBSQLite", package: "GRDB.swift"),
]
let argumentParser = Target.Dependency.product(name: "ArgumentParser", package: "swift-argument-parser")

/// What the packages want in turn, and nothing of Tandem imports. Of these SwiftPM takes the newest version that fits, unless
/// the package says which: with them here, a fresh clone builds what was tested. Each is a product that is built anyway.
let wanted: [Target.Dependency] = [
    .product(name: "Algorithms", package: "swift-algorithms"),
    .product(name: "AsyncAlgorithms", package: "swift-async-algorithms"),
    .product(name: "Atomics", package: "swift-atomics"),
    .product(name: "DequeModule", package: "swift-collections"),
    .product(name: "Metrics", package: "swift-metrics"),
    .product(name: "Tracing", package: "swift-distributed-tracing"),
    .product(name: "StructuredFieldValues", package: "swift-http-structured-headers"),
    .product(name: "NIOHTTP2", package: "swift-nio-http2"),
    .product(name: "NIOTransportServices", package: "swift-nio-transport-services"),
    .product(name: "RealModule", package: "swift-numerics"),
    .product(name: "ServiceContextModule", package: "swift-service-context"),
]
/// How the executable of a release is linked on Linux: with Swift's runtime and Foundation in it, which are a third less
/// memory and a sooner start (docs/adr/0035-the-runtime-is-linked-in.md), by the toolchain's linker. Said here and not by
/// `--static-swift-stdlib`, which would compile each module once more for the tests.
///
/// Its symbols are listed for no other program, since none looks them up, and the tables that unwind C++ are left out
/// (docs/adr/0042-what-the-executable-leaves-out.md).
let releaseLinking =
    ["-use-ld=lld", "-static-stdlib"]
    + ["--no-export-dynamic", "--no-eh-frame-hdr", "-T", "\(Context.packageDirectory)/packaging/linking/unwinding.ld"]
    .flatMap { ["-Xlinker", $0] }
    + [
        "FoundationInternationalization", "FoundationEssentials", "_FoundationICU", "CoreFoundation",
        "_FoundationCShims", "_FoundationCollections",
    ].map { "-l\($0)" }

/// The String Catalog of a module.
let sentences = "Localizable.xcstrings"

/// The texts that are part of the executable, which has no files beside it: those that `Texts/texts.c` below the module's
/// folder names, bytes that the C compiler copies as they are.
func embeddedTexts(_ name: String, path: String) -> Target {
    .target(name: name, dependencies: ["CEmbeddedText"], path: path + "/Texts")
}

/// The companions, in the order of the navigation. `make companion` adds one here, and in Apps/tandem/Registry.swift.
let companions = [
    Companion("Plants", texts: [sentences, "Kinds/kinds.tsv"], tables: ["Sentences"]),
    Companion("Brushing", hasDevice: false, texts: [sentences], tables: ["Sentences"]),
    Companion("Drums", texts: [sentences, "Songs/Library"], tables: ["Sentences"]),
    Companion("TriviaToy", hasVirtualBoard: true, runsPrograms: true, texts: [sentences, "Facts/Pack"]),
    Companion("MotionLab", texts: [sentences]),
]

/// The targets of one companion, from the folders that every companion has; one without hardware has no `Device`.
struct Companion {
    let name: String
    let hasDevice: Bool
    /// Whether its firmware runs on a board in memory, in `VirtualBoard`, on which the hub's simulator runs it too.
    let hasVirtualBoard: Bool
    /// Whether its part of the hub runs programs of the system, such as espeak-ng.
    let runsPrograms: Bool
    /// Files and folders below `Hub` that its `Texts/texts.c` makes part of the executable.
    let texts: [String]
    /// Folders below `Tests` with tables that its tests read.
    let tables: [String]

    init(
        _ name: String, hasDevice: Bool = true, hasVirtualBoard: Bool = false,
        runsPrograms: Bool = false, texts: [String] = [], tables: [String] = []
    ) {
        self.name = name
        self.hasDevice = hasDevice
        self.hasVirtualBoard = hasVirtualBoard
        self.runsPrograms = runsPrograms
        self.texts = texts
        self.tables = tables
    }

    var hub: Target.Dependency { .byName(name: "\(name)Hub") }

    /// The targets that a browser or a microcontroller runs.
    var embedded: [String] { ["\(name)Engine"] + (hasDevice ? ["\(name)Device"] : []) }

    var targets: [Target] {
        let root = "Companions/\(name)/"
        let engine = Target.Dependency.byName(name: "\(name)Engine")
        let device: [Target.Dependency] =
            (hasDevice ? [.byName(name: "\(name)Device"), "DeviceHAL", "DeviceParts"] : [])
            + (hasVirtualBoard ? [.byName(name: "\(name)VirtualBoard")] : [])
        let programs: [Target.Dependency] =
            runsPrograms ? [.product(name: "Subprocess", package: "swift-subprocess")] : []
        let deviceTarget = Target.target(
            name: "\(name)Device", dependencies: [engine, "DeviceHAL", "DeviceParts", "Wire", "Signals"],
            path: root + "Device", swiftSettings: strict)
        let boardTarget = Target.target(
            name: "\(name)VirtualBoard",
            dependencies: [engine, .byName(name: "\(name)Device"), "DeviceHAL", "DeviceParts", "Wire"],
            path: root + "VirtualBoard", swiftSettings: strict)
        let browserTarget = Target.executableTarget(
            name: "\(name)Browser", dependencies: [engine, "Wire", "Signals", "WasmBridge", "WasmRuntime"],
            path: root + "Browser", exclude: ["size-budget"], swiftSettings: strict)
        let textTargets = texts.isEmpty ? [] : [embeddedTexts("\(name)Texts", path: root + "Hub")]
        return (hasDevice ? [deviceTarget] : []) + (hasVirtualBoard ? [boardTarget] : []) + textTargets
            + [browserTarget] + [
                .target(
                    name: "\(name)Engine", dependencies: ["Wire", "Signals"], path: root + "Engine",
                    swiftSettings: strict),
                .executableTarget(
                    name: "\(name)VectorLines",
                    dependencies: [engine, "Wire", "Signals", "VectorLines", "WasmBridge", "WasmRuntime"],
                    path: root + "VectorLines", swiftSettings: strict),
                .target(
                    name: "\(name)Hub",
                    dependencies: [engine, "HubKit", "ClientKit"] + device + programs
                        + textTargets.map { .byName(name: $0.name) },
                    path: root + "Hub", exclude: texts.isEmpty ? [] : texts + ["Texts"],
                    // The contract is what HubKit has that is public: the compiler lets a companion reach no further.
                    packageAccess: false, swiftSettings: strict),
                .testTarget(
                    name: "\(name)Tests",
                    dependencies: [
                        engine, hub, .byName(name: "\(name)VectorLines"), "HubKit", "HubServer", "Readings",
                        "Devices", "ClientKit", "HubInstruments", "TestInstruments",
                    ] + device,
                    path: root + "Tests", resources: [.copy("../Vectors")] + tables.map { .copy($0) },
                    swiftSettings: tests),
            ]
    }
}

/// The features of the hub that stand alone: each is one folder with its module and the tests beside it. Companions see none of
/// them, but what they do through HubKit.
let features = [
    // What MQTT brings, stored in batches; and readings of some days ago, sealed.
    Feature("Readings", dependencies: ["MQTT", logging, lifecycle] + nio, hasTexts: false),
    // Households, people, passwords and sign-ins; and what adults come in with beside a password.
    Feature("Accounts", dependencies: ["Wire", crypto, logging, lifecycle, hummingbird]),
    Feature(
        "Passkeys", dependencies: ["Accounts", "Admission", "Wire", crypto, cryptoExtras, logging, httpTypes],
        testData: ["webauthn-vectors.txt"]),
    // Whom the listener lets in, what they may say, and the way of it into the batch; pages' channels to devices.
    Feature("Devices", dependencies: ["Readings", "MQTT", "Wire", logging, nioWebSocket, hummingbird] + nio),
    // Discovery by Home Assistant, both ways, and the client of the broker of the house.
    Feature(
        "HomeAssistant",
        dependencies: [
            "Backups", "Devices", "MQTT", "Outbound", "TLS", "Wire", crypto, logging, lifecycle, nioSSL, httpTypes,
        ] + nio),
    // The hub's own Bluetooth radio: sensors that broadcast, and devices that it connects to.
    Feature(
        "Bluetooth",
        dependencies: ["Advertisements", "BlueZ", "Devices", "HomeAssistant", crypto, cryptoExtras, logging, lifecycle]
            + nio,
        tested: ["BlueZ", "HomeAssistant"]),
    // Calls beyond the house.
    Feature(
        "Outbound",
        dependencies: [
            "Admission", "TLS", logging, lifecycle, .product(name: "AsyncHTTPClient", package: "async-http-client"),
            httpTypes, nioHTTP1, nioSSL, .product(name: "NIOTLS", package: "swift-nio"),
        ] + nio),
    // Notifications on phones, and what goes out by channels that adults have chosen.
    Feature("Push", dependencies: ["Admission", "Outbound", "TLS", logging, lifecycle, crypto, httpTypes] + nio),
    // Reminders on pages, on phones and in calendars.
    Feature(
        "Reminders", dependencies: ["Push", crypto, logging, lifecycle, httpTypes] + nio, testData: ["occurrences.json"]
    ),
    // Copies of the database, and the way back.
    Feature("Backups", dependencies: ["Wire", crypto, logging, lifecycle] + nio),
    // Updates of boards over the air.
    Feature(
        "Firmware", dependencies: ["BoardImages", "Devices", "Wire", crypto, logging] + nio, tested: ["BoardImages"]),
    // All that a household has, as a ZIP of open formats.
    Feature("Archive", dependencies: ["Backups", "Wire", crypto, logging, lifecycle] + nio),
]

/// All of them, for what puts them together.
let featureModules = features.map { Target.Dependency.byName(name: $0.name) }

/// A feature of the hub.
struct Feature {
    let name: String
    let dependencies: [Target.Dependency]
    let hasTexts: Bool
    /// The names of the files that the tests read.
    let testData: [String]
    /// The further modules that the tests see.
    let tested: [Target.Dependency]

    init(
        _ name: String, dependencies: [Target.Dependency], hasTexts: Bool = true,
        testData: [String] = [], tested: [Target.Dependency] = []
    ) {
        self.name = name
        self.dependencies = dependencies
        self.hasTexts = hasTexts
        self.testData = testData
        self.tested = tested
    }

    var targets: [Target] {
        let path = "Platform/Features/\(name)"
        let own: [Target.Dependency] = ["HubKit", "Storage", "Localization"]
        let texts: [Target.Dependency] = hasTexts ? [.byName(name: "\(name)Texts")] : []
        let excluded = (hasTexts ? [sentences, "Texts"] : []) + ["Tests", "README.md"]
        let module = Target.target(
            name: name, dependencies: own + texts + dependencies + grdb, path: path, exclude: excluded,
            swiftSettings: strict)
        let test = Target.testTarget(
            name: "\(name)Tests",
            dependencies: ["HubKit", "HubServer", "HubInstruments", "Storage", "TestInstruments"]
                + Set([name, "Accounts", "Readings", "Devices", "Backups", "Archive", "Outbound", "Push"]).sorted().map
            {
                .byName(name: $0)
            } + tested,
            path: path + "/Tests", exclude: testData, swiftSettings: tests)
        return [module, test] + (hasTexts ? [embeddedTexts("\(name)Texts", path: path)] : [])
    }
}

/// A module of the Embedded-clean core.
func core(_ name: String, _ dependencies: Target.Dependency...) -> Target {
    .target(name: name, dependencies: dependencies, path: "Platform/Embedded/\(name)", swiftSettings: strict)
}

/// A module of the hub's networks.
func network(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
    .target(
        name: name, dependencies: dependencies, path: "Platform/Network/\(name)",
        exclude: name == "MQTTServer" ? ["README.md"] : [],
        swiftSettings: strict)
}

/// Tests of the platform that need nothing but what they test.
func suite(_ name: String, of tested: [Target.Dependency], resources: [Resource] = []) -> Target {
    .testTarget(
        name: name, dependencies: tested + ["TestInstruments"], path: "Tests/\(name)", resources: resources,
        swiftSettings: tests)
}

/// One list of several; `+` of so many literals takes the compiler too long.
func joined(_ lists: [Target]...) -> [Target] { lists.flatMap { $0 } }

let package = Package(
    name: "tandem",
    platforms: [.macOS(.v15)],
    products: [
        .executable(name: "tandem", targets: ["tandem"]),
        // What scripts/embedded.sh builds at once as Embedded Swift. Nobody links it.
        .library(
            name: "EmbeddedCore", type: .static,
            targets: ["Wire", "Signals", "Advertisements", "DeviceHAL", "BoardImages", "DeviceParts", "WasmBridge"]
                + companions.flatMap(\.embedded)),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
        .package(url: "https://github.com/apple/swift-asn1", exact: "1.7.4"),
        .package(url: "https://github.com/apple/swift-certificates", exact: "1.21.1"),
        .package(url: "https://github.com/apple/swift-configuration", exact: "1.4.0"),
        .package(url: "https://github.com/apple/swift-crypto", exact: "4.5.2"),
        .package(url: "https://github.com/apple/swift-http-types", exact: "1.8.0"),
        .package(url: "https://github.com/apple/swift-log", exact: "1.16.2"),
        .package(url: "https://github.com/apple/swift-metrics", exact: "2.13.0"),
        .package(url: "https://github.com/apple/swift-nio", exact: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-extras", exact: "1.35.2"),
        .package(url: "https://github.com/apple/swift-nio-ssl", exact: "2.37.6"),
        .package(url: "https://github.com/apple/swift-system", exact: "1.8.1"),
        .package(url: "https://github.com/groue/GRDB.swift", exact: "7.10.0"),
        .package(url: "https://github.com/hummingbird-project/hummingbird", exact: "2.28.1", traits: []),
        .package(url: "https://github.com/swift-server/async-http-client", exact: "1.37.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", exact: "2.13.0"),
        .package(url: "https://github.com/swiftlang/swift-subprocess", exact: "1.0.2"),
        // What those want in turn, see `wanted`.
        .package(url: "https://github.com/apple/swift-algorithms", exact: "1.2.1"),
        .package(url: "https://github.com/apple/swift-async-algorithms", exact: "1.1.4"),
        .package(url: "https://github.com/apple/swift-atomics", exact: "1.3.0"),
        .package(url: "https://github.com/apple/swift-collections", exact: "1.6.0"),
        .package(url: "https://github.com/apple/swift-distributed-tracing", exact: "1.7.3"),
        .package(url: "https://github.com/apple/swift-http-structured-headers", exact: "1.7.0"),
        .package(url: "https://github.com/apple/swift-nio-http2", exact: "1.46.0"),
        .package(url: "https://github.com/apple/swift-nio-transport-services", exact: "1.28.0"),
        .package(url: "https://github.com/apple/swift-numerics", exact: "1.1.1"),
        .package(url: "https://github.com/apple/swift-service-context", exact: "1.5.1"),
    ],
    targets: joined(
        [
            // The Embedded-clean core: no Foundation, no input or output, no clock.
            core("Wire"),
            core("Signals", "Wire"),
            // Decoders of Bluetooth sensors' broadcasts and of the plant sensor's memory.
            core("Advertisements", "Wire"),
            core("DeviceHAL", "Wire"),
            // The file of an image, its version, and the check of its signature.
            core("BoardImages", "Wire"),
            // Drivers and stores that devices of several companions have.
            core("DeviceParts", "BoardImages", "DeviceHAL", "Wire"),
            // How the tests write an engine's commands and answers as text.
            core("VectorLines", "Wire"),
            core("WasmBridge"),
            // Without Foundation nothing else brings libm to a host build of a Browser target.
            .target(
                name: "WasmRuntime", path: "Platform/Embedded/WasmRuntime",
                linkerSettings: [.linkedLibrary("m", .when(platforms: [.linux]))]),

            // The hub.
            .target(name: "CEmbeddedText", path: "Platform/C/CEmbeddedText"),
            .target(name: "CICUData", path: "Platform/C/CICUData"),
            embeddedTexts("LocalizationTexts", path: "Platform/Localization"),
            .target(
                name: "Localization", dependencies: ["CEmbeddedText", "LocalizationTexts"],
                path: "Platform/Localization", exclude: [sentences, "Texts"], swiftSettings: strict),
            network("Admission", [.product(name: "NIOCore", package: "swift-nio")]),
            network("MQTT", [.product(name: "NIOCore", package: "swift-nio")]),
            network("MQTTServer", ["MQTT", "Admission", logging, lifecycle] + nio),
            // This machine's Bluetooth radio, over D-Bus.
            network("BlueZ", ["CSystemd"] + nio),
            network(
                "TLS",
                [
                    "Admission", logging, lifecycle, crypto,
                    .product(name: "X509", package: "swift-certificates"),
                    .product(name: "SwiftASN1", package: "swift-asn1"),
                    nioSSL, .product(name: "NIOTLS", package: "swift-nio"),
                ] + nio),
            .target(name: "BuildCommit", path: "Platform/C/BuildCommit"),
            // statfs(2), which the Swift module of the C library lacks.
            .target(name: "CFileSystem", path: "Platform/C/CFileSystem"),
            // Checks of a machine, for `tandem doctor` and the start of the hub.
            .target(
                name: "Diagnosis",
                dependencies: ["CFileSystem", nioSSL] + nio,
                path: "Platform/Diagnosis", swiftSettings: strict),
            .systemLibrary(
                name: "CSystemd", path: "Platform/C/CSystemd", pkgConfig: "libsystemd",
                providers: [.apt(["libsystemd-dev"])]),
            .systemLibrary(
                name: "CQRCode", path: "Platform/C/CQRCode", pkgConfig: "libqrencode",
                providers: [.apt(["libqrencode-dev"])]),
            .systemLibrary(
                name: "CZlib", path: "Platform/C/CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
            .target(
                name: "Storage", dependencies: ["Wire", logging] + grdb,
                path: "Platform/Storage", exclude: ["README.md"], swiftSettings: strict),
            // What a companion plugs into.
            embeddedTexts("HubKitTexts", path: "Platform/HubKit"),
            .target(
                name: "HubKit",
                dependencies: [
                    "Admission", "Storage", "MQTT", "Wire", "Localization", "HubKitTexts", "CQRCode",
                    logging, lifecycle, argumentParser, crypto, hummingbird, httpTypes,
                    cryptoExtras,
                ] + nio + grdb,
                path: "Platform/HubKit", exclude: [sentences, "Texts", "README.md"], swiftSettings: strict),
            // The hub itself, which companions do not see.
            embeddedTexts("HubServerTexts", path: "Platform/HubServer"),
            .target(
                name: "HubServer",
                dependencies: [
                    "Admission", "HubKit", "Storage", "MQTT", "TLS", "Wire", "Localization", "HubServerTexts", "CZlib",
                    logging, lifecycle, crypto, hummingbird,
                    .product(name: "HummingbirdHTTP2", package: "hummingbird"),
                    .product(name: "Subprocess", package: "swift-subprocess"),
                    .product(name: "AsyncHTTPClient", package: "async-http-client"),
                    httpTypes, nioHTTP1, nioWebSocket,
                    .product(name: "NIOHTTPTypes", package: "swift-nio-extras"),
                    .product(name: "NIOHTTPTypesHTTP1", package: "swift-nio-extras"),
                    nioSSL, .product(name: "NIOTLS", package: "swift-nio"),
                ] + nio + grdb + featureModules,
                path: "Platform/HubServer", exclude: [sentences, "Texts", "README.md"], swiftSettings: strict),
            // Files that boards are flashed with.
            .target(name: "FlashFiles", dependencies: ["Wire"], path: "Platform/FlashFiles", swiftSettings: strict),
            // How a command speaks to a hub that runs, as a person's program or as a device.
            .target(
                name: "ClientKit",
                dependencies: [
                    "HubKit", "DeviceHAL", "MQTT", argumentParser, lifecycle,
                    .product(name: "UnixSignals", package: "swift-service-lifecycle"),
                    .product(name: "AsyncHTTPClient", package: "async-http-client"),
                    nioHTTP1, nioSSL,
                ] + nio,
                path: "Platform/ClientKit", swiftSettings: strict),
        ], features.flatMap(\.targets), companions.flatMap(\.targets),
        [
            .executableTarget(
                name: "tandem",
                dependencies: [
                    "Admission", "FlashFiles", "BuildCommit", "CICUData", "Diagnosis", "HubKit", "HubServer",
                    "ClientKit", "Localization", "MQTTServer", "TLS", argumentParser, lifecycle, logging,
                    .product(name: "Configuration", package: "swift-configuration"),
                    .product(name: "Subprocess", package: "swift-subprocess"),
                    .product(name: "SystemPackage", package: "swift-system"),
                ] + nio + wanted + featureModules + companions.map(\.hub),
                path: "Apps/tandem", swiftSettings: strict,
                linkerSettings: [.unsafeFlags(releaseLinking, .when(platforms: [.linux], configuration: .release))]),

            // A web framework with nothing on it, for Benchmarks/toy_legacy.py.
            .executableTarget(
                name: "bare-route", dependencies: [hummingbird],
                path: "Benchmarks/BareRoute", swiftSettings: strict),
            // The store of readings without a hub, for Benchmarks/decades.py.
            .executableTarget(
                name: "reading-store", dependencies: ["Storage"] + grdb, path: "Benchmarks/ReadingStore",
                swiftSettings: strict),
            // An MQTT client that is not the limit, for Benchmarks/brokers.py.
            .executableTarget(
                name: "broker-load", dependencies: [argumentParser], path: "Benchmarks/BrokerLoad",
                swiftSettings: strict
            ),
            .target(
                name: "TestInstruments", dependencies: ["Wire", logging], path: "Tests/TestInstruments",
                swiftSettings: strict),
            // Readers of foreign bytes, for scripts/fuzz.sh, which links libFuzzer; and its findings, for `make test`.
            .target(
                name: "FuzzTargets",
                dependencies: [
                    "Wire", "BoardImages", "FlashFiles", "DeviceHAL", "DeviceParts", "Advertisements", "MQTT",
                    "BrushingEngine", "DrumsEngine", "MotionLabEngine", "PlantsEngine", "TriviaToyEngine",
                ] + nio,
                path: "Tests/Fuzz/Targets", swiftSettings: strict),
            .target(
                name: "HubFuzzTargets",
                dependencies: [
                    "FuzzTargets", "Admission", "TLS", "Storage", "HubKit", "HubServer", "Archive", "Backups", "Push",
                    "Reminders", "Devices", "HomeAssistant", "Accounts", "Outbound", "BrushingHub", "DrumsHub",
                    "Passkeys", "PlantsHub",
                    .product(name: "NIOEmbedded", package: "swift-nio"),
                    nioHTTP1, nioWebSocket,
                ] + nio,
                path: "Tests/Fuzz/HubTargets", swiftSettings: strict),
            .systemLibrary(name: "CFuzzer", path: "Tests/Fuzz/CFuzzer"),
            .testTarget(
                name: "FuzzTests", dependencies: ["FuzzTargets", "HubFuzzTargets"], path: "Tests/Fuzz/Tests",
                swiftSettings: tests),
            .executableTarget(
                name: "fuzz", dependencies: ["FuzzTargets", "HubFuzzTargets", "CFuzzer"], path: "Tests/Fuzz/Runner",
                swiftSettings: strict),
            .target(
                name: "HubInstruments",
                dependencies: ["HubKit", "HubServer", "Localization", "Outbound", "Storage", "TLS", "Wire"],
                path: "Tests/HubInstruments", swiftSettings: strict),
            suite("LocalizationTests", of: ["Localization"]),
            suite("BoardImagesTests", of: ["BoardImages", crypto]),
            suite("DevicePartsTests", of: ["DeviceParts", "BoardImages", "DeviceHAL", "Wire", crypto]),
            suite("WireTests", of: ["Wire", "Signals", "VectorLines"]),
            suite("AdvertisementsTests", of: ["Advertisements", "Wire", "VectorLines"], resources: [.copy("Vectors")]),
            suite("MQTTTests", of: ["MQTT"], resources: [.copy("Cases")]),
            suite("MQTTServerTests", of: ["MQTTServer"], resources: [.copy("Cases")]),
            suite("AdmissionTests", of: ["Admission"]),
            suite("DiagnosisTests", of: ["Diagnosis"]),
            suite("FlashFilesTests", of: ["FlashFiles", "Wire"]),
            suite("TLSTests", of: ["Admission", "TLS", .product(name: "NIOEmbedded", package: "swift-nio")]),
            suite("LintTests", of: []),
            suite("ClientKitTests", of: ["ClientKit"]),
            suite(
                "HubKitTests",
                of: ["Admission", "HubServer", "Accounts", "Readings", "HubInstruments", "Localization", "Storage"]),
            suite(
                "HubServerTests",
                of: [
                    "Admission", "HubKit", "HubServer", "Accounts", "Readings", "Devices", "Outbound", "Push",
                    "Backups", "Archive", "HubInstruments", "Storage",
                ]),
            suite(
                "HouseTests",
                of: [
                    "HubKit", "HubServer", "Accounts", "Archive", "Backups", "HomeAssistant", "Reminders",
                    "HubInstruments", "Storage",
                ] + companions.map(\.hub)),
        ])
)
