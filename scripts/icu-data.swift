// swift icu-data.swift WHOLE PART: a package of ICU's data with a part of its items.
//
// A package is a header, whose first two bytes are its length; then, little-endian, the number of items and for each where its
// name and its data begin, counted from the end of the header, sorted by name; then the names, each ended by a NUL; then the
// data, each item at a multiple of 16 (ICU, source/common/ucmndata.h and source/tools/toolutil/package.cpp).
import Foundation

/// The languages that are kept, with their countries; the root, which every other falls back to, always is.
let languages = ["en", "de"]

/// Whether an item is kept.
///
/// - Parameter path: its name below the package's, such as `coll/de.res` or `zoneinfo64.res`.
func isKept(_ path: String) -> Bool {
    let folder = path.split(separator: "/").dropLast().first ?? ""
    let file = path.split(separator: "/").last ?? ""
    let (name, kind) = (file.prefix { $0 != "." }, file.drop { $0 != "." })
    // Converters of character sets, which CoreFoundation has for those that are asked for, dictionaries to break words of
    // languages without spaces, and transliterations.
    if kind == ".cnv" || kind == ".dict" || folder == "translit" { return false }
    guard kind == ".res" else { return true }
    // A language has two or three letters; longer names are of what all languages share.
    let language = name.prefix { $0 != "_" }
    return language.count > 3 || name == "res_index" || languages.contains(String(language))
}

let arguments = CommandLine.arguments
let whole = [UInt8](try Data(contentsOf: URL(fileURLWithPath: arguments[1])))

/// A number of four bytes.
func number(at offset: Int) -> Int {
    (0..<4).reduce(0) { $0 | Int(whole[offset + $1]) << (8 * $1) }
}
func bytes(of number: Int) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) } }

let header = Int(whole[0]) | Int(whole[1]) << 8
precondition(whole[2...3] == [0xDA, 0x27] && whole[12..<16] == [0x43, 0x6D, 0x6E, 0x44], "This is no package of ICU's data.")
let count = number(at: header)
let starts = (0..<count).map { header + number(at: header + 8 + 8 * $0) } + [whole.count]
let items = (0..<count).map { place in
    let name = whole[(header + number(at: header + 4 + 8 * place))...].prefix { $0 != 0 }
    return (name: Array(name), data: whole[starts[place]..<starts[place + 1]])
}
let kept = items.filter { item in
    isKept(String(decoding: item.name.drop { $0 != UInt8(ascii: "/") }.dropFirst(), as: UTF8.self))
}

var names: [UInt8] = []
var data: [UInt8] = []
var places: [(name: Int, data: Int)] = []
let table = 4 + 8 * kept.count
for item in kept {
    places.append((table + names.count, data.count))
    names += item.name + [0]
    data += item.data + [UInt8](repeating: 0, count: -item.data.count & 15)
}
names += [UInt8](repeating: 0, count: -(header + table + names.count) & 15)
var part = Array(whole[..<header]) + bytes(of: kept.count)
for place in places { part += bytes(of: place.name) + bytes(of: table + names.count + place.data) }
part += names + data
try Data(part).write(to: URL(fileURLWithPath: arguments[2]))
