import Foundation
import FuzzTargets
import HubFuzzTargets

#if FUZZING
    import CFuzzer
#endif

// fuzz list                       each target's name
// fuzz prepare TARGET FOLDER      writes its seeds, FOLDER/seeds/*, and its dictionary, FOLDER/dictionary
// fuzz replay TARGET FILE...      reads these files with it, and ends at the first whose property does not hold
// fuzz run TARGET ...             libFuzzer with it and the options of libFuzzer; only where it was built by scripts/fuzz.sh

let targets = FuzzTarget.readers + FuzzTarget.hub

/// The target that libFuzzer's callback, a C function without a context, calls.
nonisolated(unsafe) var running: FuzzTarget?  // Written once, before libFuzzer begins; read on this one thread.

func stop(_ words: String) -> Never {
    FileHandle.standardError.write(Data((words + "\n").utf8))
    exit(64)
}

func target(_ name: String?) -> FuzzTarget {
    guard let target = targets.first(where: { $0.name == name }) else {
        stop(
            "No target is called \(name ?? "nothing"). There are: \(targets.map(\.name).joined(separator: " "))")
    }
    return target
}

let arguments = CommandLine.arguments.dropFirst()
let rest = arguments.dropFirst(2)
switch arguments.first {
case "list":
    for target in targets { print(target.name) }
case "prepare":
    let target = target(arguments.dropFirst().first)
    guard let folder = rest.first.map({ URL(fileURLWithPath: $0) }) else { stop("fuzz prepare TARGET FOLDER") }
    let seeds = folder.appendingPathComponent("seeds")
    try FileManager.default.createDirectory(at: seeds, withIntermediateDirectories: true)
    for (number, seed) in target.seeds.enumerated() {
        try Data(seed).write(to: seeds.appendingPathComponent("\(number)"))
    }
    let words = target.dictionary.map { "\"\($0)\"\n" }.joined()
    try Data(words.utf8).write(to: folder.appendingPathComponent("dictionary"))
case "replay":
    let target = target(arguments.dropFirst().first)
    for path in rest {
        do throws(BrokenProperty) {
            guard let bytes = FileManager.default.contents(atPath: path) else { stop("\(path) cannot be read.") }
            try target.check(Array(bytes))
        } catch {
            print("\(path): does not hold: \(error)")
            exit(1)
        }
    }
#if FUZZING
    case "run":
        let target = target(arguments.dropFirst().first)
        running = target
        let words = ["fuzz", "-max_len=\(target.longestInput)"] + rest
        var pointers = words.map { strdup($0) } + [nil]
        var count = CInt(words.count)
        let status = pointers.withUnsafeMutableBufferPointer { buffer in
            var base = buffer.baseAddress
            return LLVMFuzzerRunDriver(&count, &base) { bytes, size in
                let input = [UInt8](UnsafeBufferPointer(start: bytes, count: size))
                do throws(BrokenProperty) {
                    try running?.check(input)
                } catch {
                    fatalError("does not hold: \(error)")
                }
                return 0
            }
        }
        exit(status)
#endif
default: stop("fuzz list | prepare TARGET FOLDER | replay TARGET FILE... | run TARGET OPTION...")
}
