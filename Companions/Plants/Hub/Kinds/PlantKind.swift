import Foundation
import HubKit
import PlantsEngine
import PlantsTexts

/// A kind of plant, with limits that suit it: a line of `kinds.tsv`.
struct PlantKind: Sendable, Equatable {
    var latin, english, german: String
    var art: PlantArt
    var moisture: MoistureLimits
    var likes: PlantLikes
    /// The weeks between two fertilisings while it grows; nil where it wants none.
    var fertiliseWeeks: Int?
    var repotYears: Int?
    /// The source in which its care can be looked up.
    var source: String

    /// The most kinds that a search answers.
    static let mostFound = 12

    /// The kinds of the table. A line that could not be read would be left out rather than keep the hub from starting;
    /// a test reads each.
    static let all: [PlantKind] = lines.compactMap(PlantKind.init(line:))

    /// The lines of the table, without its explanation.
    static let lines: [String] = String(decoding: [UInt8](plantKinds()), as: UTF8.self)
        .split(separator: "\n").filter { !$0.hasPrefix("#") && !$0.hasPrefix("latin\t") }.map(String.init)

    /// Reads a kind from a line of the table.
    ///
    /// - Parameter line: its fields with tabs between them, in the order that the table's first line says.
    init?(line: String) {
        let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
        guard fields.count == 11, let art = PlantArt(rawValue: fields[3]), let water = Water(rawValue: fields[4]),
            let light = Light(rawValue: fields[5]), let coldest = Double(fields[6]), let warmest = Double(fields[7]),
            let sources = Source(rawValue: fields[10])
        else { return nil }
        (latin, english, german, self.art) = (fields[0], fields[1], fields[2], art)
        moisture = water.limits
        likes = PlantLikes(
            temperature: .init(low: coldest, high: warmest), light: nil, dailyLight: light.limits, conductivity: nil)
        fertiliseWeeks = Int(fields[8])
        repotYears = Int(fields[9])
        source = sources.words(latin)
    }

    /// The moisture of the soil that a kind likes.
    private enum Water: String {
        case moist, even, drying, dry

        /// The limits in percent of a sensor’s range.
        var limits: MoistureLimits {
            switch self {
            case .moist: MoistureLimits(low: 38, high: 80)
            case .even: MoistureLimits(low: 28, high: 70)
            case .drying: MoistureLimits(low: 18, high: 60)
            case .dry: MoistureLimits(low: 8, high: 45)
            }
        }
    }

    /// The light that a kind likes.
    private enum Light: String {
        case shade, medium, bright, sun

        /// The limits in mol a square metre and day, behind a window.
        var limits: PlantLikes.Limits {
            switch self {
            case .shade: .init(low: 1, high: 8)
            case .medium: .init(low: 2, high: 14)
            case .bright: .init(low: 4, high: 25)
            case .sun: .init(low: 8, high: nil)
            }
        }
    }

    /// The sources in which the care of a kind is described.
    private enum Source: String {
        case ncsu, mbg, rhs, ufl

        func words(_ latin: String) -> String {
            switch self {
            case .ncsu: "North Carolina State Extension, Plant Toolbox: \(latin)"
            case .mbg: "Missouri Botanical Garden, Plant Finder: \(latin)"
            case .rhs: "Royal Horticultural Society, plant pages: \(latin)"
            case .ufl: "University of Florida, IFAS Extension: \(latin)"
            }
        }
    }

    /// The kinds with a text in one of their names, those that begin with it first.
    static func named(_ search: String) -> [PlantKind] {
        let wanted = folded(search.trimmingSpaces)
        guard !wanted.isEmpty else { return Array(all.prefix(mostFound)) }
        let found = all.compactMap { kind -> (rank: Int, kind: PlantKind)? in
            let ranks = kind.names.map { name in
                name.hasPrefix(wanted) ? 0 : name.contains(" " + wanted) ? 1 : name.contains(wanted) ? 2 : 3
            }
            guard let rank = ranks.min(), rank < 3 else { return nil }
            return (rank, kind)
        }
        return found.sorted { ($0.rank, $0.kind.english) < ($1.rank, $1.kind.english) }.prefix(mostFound).map(\.kind)
    }

    private var names: [String] { [latin, english, german].map(Self.folded) }

    /// A text without case and accents: `Glücksfeder` is found by `glucks`.
    private static func folded(_ text: String) -> String {
        text.folding(options: [.caseInsensitive, .diacriticInsensitive], locale: nil)
    }
}
