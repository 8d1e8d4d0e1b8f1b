// swift-tools-version: 6.2
import PackageDescription

/// What every target of the house is built with: Swift 6 mode, and a warning is an error.
let strict: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
]

let nio: [Target.Dependency] = [
    .product(name: "NIOCore", package: "swift-nio"),
    .product(name: "NIOPosix", package: "swift-nio"),
]
let logging = Target.Dependency.product(name: "Logging", package: "swift-log")
let metrics = Target.Dependency.product(name: "Metrics", package: "swift-metrics")
let lifecycle = Target.Dependency.product(name: "ServiceLifecycle", package: "swift-service-lifecycle")
let grdb: [Target.Dependency] = [
    .product(name: "GRDB", package: "GRDB.swift"),
    .product(name: "GRDBSQLite", package: "GRDB.swift"),
]
let argumentParser = Target.Dependency.product(name: "ArgumentParser", package: "swift-argument-parser")

/// The companions, in the order of the navigation. `make companion` adds one here, and in Apps/tandem/Registry.swift.
let companions = [
    Companion("Plants"),
    Companion("Brushing", hasDevice: false),
    Companion("Drums", texts: ["Songs/Library"]),
]

/// The targets of one companion, from the folders that every companion has; one without hardware has no `Device`.
struct Companion {
    let name: String
    let hasDevice: Bool
    /// Files and folders below `Hub` that are part of the executable, which has no files beside it.
    let texts: [String]

    init(_ name: String, hasDevice: Bool = true, texts: [String] = []) {
        self.name = name
        self.hasDevice = hasDevice
        self.texts = texts
    }

    var hub: Target.Dependency { .byName(name: "\(name)Hub") }

    var targets: [Target] {
        let root = "Companions/\(name)/"
        let engine = Target.Dependency.byName(name: "\(name)Engine")
        let device: [Target.Dependency] = hasDevice ? [.byName(name: "\(name)Device"), "DeviceHAL"] : []
        let deviceTarget = Target.target(
            name: "\(name)Device", dependencies: [engine, "DeviceHAL", "Wire", "Signals"], path: root + "Device",
            swiftSettings: strict)
        return (hasDevice ? [deviceTarget] : []) + [
            .target(
                name: "\(name)Engine", dependencies: ["Wire", "Signals"], path: root + "Engine", swiftSettings: strict),
            .executableTarget(
                name: "\(name)Browser", dependencies: [engine, "Wire", "Signals", "WasmBridge", "WasmRuntime"],
                path: root + "Browser", exclude: ["size-budget"], swiftSettings: strict),
            .target(
                name: "\(name)Hub", dependencies: [engine, "HubKit"] + device, path: root + "Hub",
                resources: texts.map { .embedInCode($0) }, swiftSettings: strict),
            .testTarget(
                name: "\(name)Tests",
                dependencies: [engine, hub, "HubKit", "HubInstruments", "TestInstruments"] + device,
                path: root + "Tests", resources: [.copy("../Vectors")], swiftSettings: strict),
        ]
    }
}

/// What stands of the lab: its rules, its driver and their tests, and nothing of it is in the executable yet. With its hub part
/// and its screens it becomes a line of `companions`.
let motionLab: [Target] = [
    .target(
        name: "MotionLabEngine", dependencies: ["Wire", "Signals"], path: "Companions/MotionLab/Engine",
        swiftSettings: strict),
    .target(
        name: "MotionLabDevice", dependencies: ["MotionLabEngine", "DeviceHAL", "Wire", "Signals"],
        path: "Companions/MotionLab/Device", swiftSettings: strict),
    .executableTarget(
        name: "MotionLabVectorLines",
        dependencies: ["MotionLabEngine", "Wire", "Signals", "WasmBridge", "WasmRuntime"],
        path: "Companions/MotionLab/VectorLines", swiftSettings: strict),
    .testTarget(
        name: "MotionLabTests",
        dependencies: ["MotionLabEngine", "MotionLabDevice", "MotionLabVectorLines", "DeviceHAL", "TestInstruments"],
        path: "Companions/MotionLab/Tests", resources: [.copy("../Vectors")], swiftSettings: strict),
]

let package = Package(
    name: "tandem",
    platforms: [.macOS(.v15)],
    products: [.executable(name: "tandem", targets: ["tandem"])],
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
    ],
    targets: [
        // The Embedded-clean core: no Foundation, no input or output, no clock.
        .target(name: "Wire", path: "Platform/Wire", swiftSettings: strict),
        .target(name: "Signals", dependencies: ["Wire"], path: "Platform/Signals", swiftSettings: strict),
        .target(name: "DeviceHAL", dependencies: ["Wire"], path: "Platform/DeviceHAL", swiftSettings: strict),
        .target(name: "WasmBridge", path: "Platform/WasmBridge", swiftSettings: strict),
        // Without Foundation nothing else brings libm to a host build of a Browser target.
        .target(
            name: "WasmRuntime", path: "Platform/WasmRuntime",
            linkerSettings: [.linkedLibrary("m", .when(platforms: [.linux]))]),

        // The hub.
        .target(name: "Admission", path: "Platform/Admission", swiftSettings: strict),
        .target(
            name: "MQTT", dependencies: [.product(name: "NIOCore", package: "swift-nio")],
            path: "Platform/MQTT", swiftSettings: strict),
        .target(
            name: "MQTTServer", dependencies: ["MQTT", "Admission", logging, metrics, lifecycle] + nio,
            path: "Platform/MQTTServer", swiftSettings: strict),
        .target(
            name: "TLS",
            dependencies: [
                "Admission", logging, lifecycle,
                .product(name: "X509", package: "swift-certificates"),
                .product(name: "SwiftASN1", package: "swift-asn1"),
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
                .product(name: "NIOTLS", package: "swift-nio"),
            ] + nio,
            path: "Platform/TLS", swiftSettings: strict),
        .systemLibrary(
            name: "CQRCode", path: "Platform/CQRCode", pkgConfig: "libqrencode", providers: [.apt(["libqrencode-dev"])]),
        .target(
            name: "Storage", dependencies: ["Wire", logging] + grdb, path: "Platform/Storage", swiftSettings: strict),
        .target(
            name: "HubKit",
            dependencies: [
                "Storage", "MQTT", "TLS", "Wire", "CQRCode", logging, metrics, lifecycle, argumentParser,
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "HummingbirdHTTP2", package: "hummingbird"),
                .product(name: "Subprocess", package: "swift-subprocess"),
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "CryptoExtras", package: "swift-crypto"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOWebSocket", package: "swift-nio"),
                .product(name: "NIOHTTPTypes", package: "swift-nio-extras"),
                .product(name: "NIOHTTPTypesHTTP1", package: "swift-nio-extras"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
                .product(name: "NIOTLS", package: "swift-nio"),
            ] + nio + grdb,
            path: "Platform/HubKit", swiftSettings: strict),
    ] + companions.flatMap(\.targets) + motionLab + [
        .executableTarget(
            name: "tandem",
            dependencies: [
                "HubKit", "MQTTServer", "TLS", argumentParser, lifecycle, logging,
                .product(name: "Configuration", package: "swift-configuration"),
                .product(name: "SystemPackage", package: "swift-system"),
            ] + nio + companions.map(\.hub),
            path: "Apps/tandem", swiftSettings: strict),

        .target(
            name: "TestInstruments", dependencies: ["Wire", logging], path: "Tests/TestInstruments",
            swiftSettings: strict),
        // Readers of foreign bytes, for scripts/fuzz.sh, which links libFuzzer; and its findings, for `make test`.
        .target(
            name: "FuzzTargets",
            dependencies: [
                "Wire", "MQTT", "BrushingEngine", "DrumsEngine", "PlantsEngine",
                .product(name: "NIOCore", package: "swift-nio"),
            ],
            path: "Tests/Fuzz/Targets", swiftSettings: strict),
        .target(
            name: "HubFuzzTargets",
            dependencies: [
                "FuzzTargets", "TLS", "Storage", "HubKit", "BrushingHub", "DrumsHub", "PlantsHub",
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOEmbedded", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOWebSocket", package: "swift-nio"),
            ],
            path: "Tests/Fuzz/HubTargets", swiftSettings: strict),
        .systemLibrary(name: "CFuzzer", path: "Tests/Fuzz/CFuzzer"),
        .testTarget(
            name: "FuzzTests", dependencies: ["FuzzTargets", "HubFuzzTargets"], path: "Tests/Fuzz/Tests",
            swiftSettings: strict),
        .executableTarget(
            name: "fuzz", dependencies: ["FuzzTargets", "HubFuzzTargets", "CFuzzer"], path: "Tests/Fuzz/Runner",
            swiftSettings: strict),
        .target(
            name: "HubInstruments", dependencies: ["HubKit", "Storage"], path: "Tests/HubInstruments",
            swiftSettings: strict),
        .testTarget(
            name: "WireTests", dependencies: ["Wire", "Signals", "TestInstruments"], path: "Tests/WireTests",
            swiftSettings: strict),
        .testTarget(
            name: "MQTTTests", dependencies: ["MQTT", "TestInstruments"], path: "Tests/MQTTTests",
            resources: [.copy("Cases")],
            swiftSettings: strict),
        .testTarget(
            name: "MQTTServerTests", dependencies: ["MQTTServer", "TestInstruments"], path: "Tests/MQTTServerTests",
            resources: [.copy("Cases")], swiftSettings: strict),
        .testTarget(
            name: "AdmissionTests", dependencies: ["Admission", "TestInstruments"], path: "Tests/AdmissionTests",
            swiftSettings: strict),
        .testTarget(
            name: "TLSTests",
            dependencies: ["TLS", "TestInstruments", .product(name: "NIOEmbedded", package: "swift-nio")],
            path: "Tests/TLSTests", swiftSettings: strict),
        .testTarget(
            name: "LintTests", dependencies: ["TestInstruments"], path: "Tests/LintTests", swiftSettings: strict),
        .testTarget(
            name: "HubKitTests", dependencies: ["HubKit", "HubInstruments", "Storage", "TestInstruments"],
            path: "Tests/HubKitTests", exclude: ["Reminders/occurrences.json"], swiftSettings: strict),
    ]
)
