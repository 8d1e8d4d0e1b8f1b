// swift-tools-version: 6.2
import PackageDescription

// The images that boards are flashed with, of the modules that the hub and the pages are made of too. SwiftPM takes no target
// from above a package's folder, so scripts/firmware.sh lays this manifest beside links to the folders that it names, in
// .build-firmware/package: its paths count from the folder of the whole project.

/// The board that is built for: a folder of Firmware/Boards.
let board = Context.environment["FIRMWARE_BOARD"] ?? "MPS2AN386"

let settings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableExperimentalFeature("Embedded"),
    .enableExperimentalFeature("Extern"),
    .enableExperimentalFeature("Volatile"),
]
/// Of the functions that copy memory the compiler must not make calls of themselves.
let unlooped = settings + [.unsafeFlags(["-Xllvm", "-disable-loop-idiom-all"])]

func core(_ name: String, _ dependencies: Target.Dependency...) -> Target {
    .target(name: name, dependencies: dependencies, path: "Platform/Embedded/\(name)", swiftSettings: settings)
}

/// The engine of a companion, and what runs on its hardware.
func companion(_ name: String, hasDevice: Bool = true) -> [Target] {
    let engine = Target.target(
        name: "\(name)Engine", dependencies: ["Wire", "Signals"], path: "Companions/\(name)/Engine",
        swiftSettings: settings)
    guard hasDevice else { return [engine] }
    return [
        engine,
        .target(
            name: "\(name)Device", dependencies: [.byName(name: "\(name)Engine"), "DeviceHAL", "DeviceParts", "Wire", "Signals"],
            path: "Companions/\(name)/Device", swiftSettings: settings),
    ]
}

/// What answers the lines of an engine's vector files: a module for the tests alone, of the engine that is asked for.
let asked = Context.environment["FIRMWARE_ENGINE"]
let vectors: [Target] =
    asked.map { engine in
        [
            .target(
                name: "EngineLines",
                dependencies: [.byName(name: "\(engine)Engine"), "VectorLines", "Wire", "Signals"],
                path: "Companions/\(engine)/VectorLines", exclude: ["VectorExports.swift"], swiftSettings: settings),
            image("Vectors", "EngineLines"),
        ]
    } ?? []

/// An image: a board with a device on it.
func image(_ name: String, _ dependencies: Target.Dependency...) -> Target {
    .executableTarget(
        name: name, dependencies: dependencies + ["Board", "CortexM", "DeviceHAL", "Wire"],
        path: "Firmware/Images/\(name)", swiftSettings: settings)
}

let package = Package(
    name: "firmware",
    targets: [
        core("Wire"), core("Signals", "Wire"), core("DeviceHAL", "Wire"), core("BoardImages", "Wire"), core("DeviceParts", "BoardImages", "DeviceHAL", "Wire"), core("VectorLines", "Wire"),
        .target(name: "CortexM", path: "Firmware/Boards/CortexM", exclude: ["sections.ld"], swiftSettings: unlooped),
        .target(
            name: "Board", dependencies: ["BoardImages", "CortexM", "DeviceHAL", "Wire"], path: "Firmware/Boards/\(board)",
            exclude: ["link.ld", "vectors.ld"] + (board == "MPS2AN386" ? ["slot.ld"] : []),
            swiftSettings: settings),
        image("PlantSensor", "PlantsDevice", "BoardImages", "DeviceParts"),
        image("Boot", "BoardImages", "DeviceParts"),
        image("Toy", "TriviaToyDevice"),
        image("Drums", "DrumsDevice"),
    ]
        + companion("Plants") + companion("TriviaToy") + companion("Drums") + companion("MotionLab", hasDevice: false)
        + companion("Brushing", hasDevice: false) + vectors
)
