/// The reason why a file that somebody chose holds no table.
public enum TableFileError: Error, Sendable, Equatable {
    /// The file is packed, and cannot be unpacked: it was cut short, or is encrypted.
    case packed
    /// The file unfolds to more than is read.
    case tooLarge
    /// The file is a workbook of an Excel before 2007 (`.xls`), which is not read.
    case oldWorkbook
    /// The file is packed, and no table is in it.
    case noTable
}

/// The tables in a file that a program exported or somebody saved: a text is one; each sheet of a workbook is one; and a ZIP
/// file has those of the texts and workbooks that are packed in it.
public struct TableFile: Sendable {
    /// A table with its name: that of the file, or of the sheet.
    public struct Table: Sendable, Equatable {
        /// The name, UTF-8, with the folders in a ZIP file.
        public var name: [UInt8]
        /// The text.
        public var text: TableText
    }

    /// The tables, in the order of the file.
    public private(set) var tables: [Table] = []
    /// The names of packed files that are tables, and cannot be unpacked.
    public private(set) var damaged: [[UInt8]] = []

    /// Reads a file.
    ///
    /// - Parameter name: what it is called.
    public init(_ file: [UInt8], name: [UInt8] = [], limits: PackedFiles.Limits = .init()) throws(TableFileError) {
        guard !Self.isOldWorkbook(file) else { throw .oldWorkbook }
        guard PackedFiles.isPacked(file) else {
            tables = [Table(name: name, text: TableText(file))]
            return
        }
        // What workbooks in it unfold to, and what their sheets have then.
        var (inner, room) = (limits, limits)
        do throws(PackedFilesError) {
            let packed = try PackedFiles(file, limits: limits)
            if Workbook.isWorkbook(packed) {
                add(try Workbook(packed, limits: limits))
                return
            }
            for entry in packed.files where Self.isTable(entry.name) {
                do throws(PackedFilesError) {
                    let content = try packed.content(of: entry)
                    guard PackedFiles.isPacked(content) else {
                        tables.append(Table(name: entry.name, text: TableText(content)))
                        continue
                    }
                    // A workbook in it, and no more than one such step.
                    let book = try PackedFiles(content, limits: inner)
                    inner.bytes -= book.files.reduce(0) { $0 + $1.bytes }
                    guard Workbook.isWorkbook(book) else { continue }
                    let read = try Workbook(book, limits: room)
                    room.bytes -= read.sheets.reduce(0) { $0 + $1.table.bytes.count }
                    add(read)
                } catch {
                    guard error != .tooLarge else { throw error }
                    damaged.append(entry.name)
                }
            }
        } catch {
            throw error == .tooLarge ? .tooLarge : .packed
        }
        guard !tables.isEmpty else { throw damaged.isEmpty ? .noTable : .packed }
    }

    private mutating func add(_ book: Workbook) {
        for sheet in book.sheets { tables.append(Table(name: sheet.name, text: sheet.table)) }
    }

    /// The signature of a compound file ([MS-CFB], 2.2), which an older workbook is in.
    private static func isOldWorkbook(_ file: [UInt8]) -> Bool {
        file.starts(with: [0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1])
    }

    /// Whether a packed file is a table by its name; what a Mac adds of its own (`__MACOSX/`, `._name`) is none.
    private static func isTable(_ name: [UInt8]) -> Bool {
        guard !hasPrefix(name.span, "__MACOSX/") else { return false }
        var start = 0
        for (place, byte) in name.enumerated() where byte == UInt8(ascii: "/") { start = place + 1 }
        guard start < name.count, name[start] != UInt8(ascii: ".") else { return false }
        guard let point = name.lastIndex(of: UInt8(ascii: ".")), point > start else { return false }
        return matchesIgnoringCase(
            name.span.extracting((point + 1)..<name.count), oneOf: ["csv", "tsv", "txt", "xlsx", "xlsm", "ods"])
    }
}
