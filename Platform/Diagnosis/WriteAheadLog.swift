/// The pages that a database's log holds beyond the end of its file.
///
/// A file is rightly shorter than it says where a process was killed while it moved the log into the file, the first page
/// first: then the log has the rest. (SQLite's file format, 4: https://www.sqlite.org/fileformat2.html#the_write_ahead_log)
public struct WriteAheadLog {
    /// The numbers of the pages that are in the log and committed, from a page on.
    ///
    /// The checksums are not looked at: what only seems to be there is found when the whole file is read.
    ///
    /// - Parameters:
    ///   - first: the number of the first page that counts.
    ///   - pageBytes: the size of a page of the database.
    ///   - read: reads so many bytes at an offset; nil where there are fewer.
    public static func pages(from first: Int, pageBytes: Int, read: (Int, Int) -> [UInt8]?) -> Set<Int> {
        guard pageBytes > 0, let head = read(0, 32), head.count == 32 else { return [] }
        let magic = number(head, 0)
        guard magic == 0x377F_0682 || magic == 0x377F_0683, number(head, 8) == pageBytes else { return [] }
        var committed: Set<Int> = []
        var waiting: Set<Int> = []
        var offset = 32
        while let frame = read(offset, 24), frame.count == 24, frame[8..<16] == head[16..<24] {
            let page = number(frame, 0)
            if page >= first { waiting.insert(page) }
            let pages = number(frame, 4)
            if pages > 0 {
                committed = committed.union(waiting).filter { $0 <= pages }
                waiting = []
            }
            offset += 24 + pageBytes
        }
        return committed
    }

    private static func number(_ bytes: [UInt8], _ place: Int) -> Int {
        bytes[place..<place + 4].reduce(0) { $0 << 8 | Int($1) }
    }
}
