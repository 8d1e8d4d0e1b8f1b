/// The lines of a sheet's table, tabs between their cells.
///
/// A file of some kilobytes can name a text a million times. What is written for it is counted, and ends with the room
/// that there is for all sheets of a file.
struct SheetLines {
    /// The bytes that may still be written, for this sheet and those after it.
    private(set) var room: Int
    private var text = TextWriter()
    /// The number of the row that was begun, from 1 on; 0 before the first.
    private var row = 0
    /// The line in which that row stands, and the one that is being written: rows between them have nothing yet.
    private var (rowLine, line): (Int64, Int64) = (0, 1)
    /// The place where the row's text begins, and the number of times that it comes.
    private var (rowStart, rowTimes) = (0, 1)
    private var written = -1
    private var column = 0

    init(room: Int) { self.room = room }

    /// Begins a row, which is the next where it does not say its number, from 1 on.
    ///
    /// - Parameter times: how often the row comes, one below the other.
    mutating func beginRow(number: Int?, times: Int = 1) throws(PackedFilesError) {
        try endRow()
        let next = max(number ?? row + 1, row + 1)
        rowLine += Int64(min(next - row, Workbook.mostEmptyRows + 1))
        row = next
        (written, column, rowTimes) = (-1, 0, max(times, 1))
    }

    /// Begins a cell, which is the next where it does not say its column, from 0 on.
    mutating func beginCell(column: Int?) { if let column { self.column = column } }

    /// Adds what stands in the cell that was begun, a number of times.
    mutating func add(_ content: [UInt8], times: Int = 1) throws(PackedFilesError) {
        if content.isEmpty {
            // No further than a sheet goes: the sum of what a file says has no end.
            column = min(column + min(max(times, 1), Workbook.lastColumn), Workbook.lastColumn)
            return
        }
        // One that stands before the last is nowhere.
        for _ in 0..<min(max(times, 1), Workbook.mostColumns) where column > written && column < Workbook.mostColumns {
            try beginLine()
            while written < column {
                if written >= 0 { try write(byte: 0x09) }
                written += 1
            }
            try write(content)
            column += 1
        }
    }

    /// Begins the row's line where nothing stands in it so far.
    private mutating func beginLine() throws(PackedFilesError) {
        guard written < 0 else { return }
        if row == 0 { (row, rowLine) = (1, 1) }
        guard rowLine - line <= Int64(room) else { throw .tooLarge }
        while line < rowLine {
            try write(byte: 0x0A)
            line += 1
        }
        rowStart = text.bytes.count
    }

    /// Writes the row as often again as it comes. One with nothing in it is no more than its place.
    private mutating func endRow() throws(PackedFilesError) {
        guard rowTimes > 1 else { return }
        let more = rowTimes - 1
        rowTimes = 1
        guard written >= 0 else {
            rowLine += Int64(min(more, Workbook.mostEmptyRows))
            return
        }
        let row = Array(text.bytes[rowStart...])
        guard more <= room / (row.count + 1) else { throw .tooLarge }
        for _ in 0..<more {
            try write(byte: 0x0A)
            try write(bytes: row)
        }
        (line, rowLine) = (line + Int64(more), rowLine + Int64(more))
    }

    private mutating func write(byte: UInt8) throws(PackedFilesError) {
        guard room > 0 else { throw .tooLarge }
        room -= 1
        text.write(byte: byte)
    }

    private mutating func write(bytes: [UInt8]) throws(PackedFilesError) {
        guard bytes.count <= room else { throw .tooLarge }
        room -= bytes.count
        text.write(bytes: bytes)
    }

    private mutating func write(_ content: [UInt8]) throws(PackedFilesError) {
        let isPlain = !content.contains { $0 == 0x09 || $0 == 0x0A || $0 == 0x0D || $0 == UInt8(ascii: "\"") }
        if isPlain, content.first != 0x20 { return try write(bytes: content) }
        try write(byte: UInt8(ascii: "\""))
        for byte in content {
            if byte == UInt8(ascii: "\"") { try write(byte: byte) }
            try write(byte: byte)
        }
        try write(byte: UInt8(ascii: "\""))
    }

    /// The table of all rows, which ends the last one.
    mutating func table() throws(PackedFilesError) -> TableText {
        try endRow()
        return TableText(bytes: text.bytes, separator: 0x09)
    }
}
