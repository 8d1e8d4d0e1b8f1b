import Devices
import HubKit
import MQTT
import Storage
import Wire

/// The declarations of all companions, checked when the hub starts so that mistakes are found early.
struct Declarations {
    /// The topics by the name of the kind of device.
    private(set) var topics: [String: DeviceTopics] = [:]

    /// Checks the declarations.
    ///
    /// - Throws: `DeclarationError`.
    init(_ companions: [any Companion.Type]) throws(DeclarationError) {
        var slugs: Set<String> = []
        for companion in companions {
            let slug = companion.slug
            guard slug.wholeMatch(of: /[a-z][a-z0-9-]*/) != nil, slugs.insert(slug).inserted else {
                throw DeclarationError(
                    companion: slug, reason: "a slug is of small letters, digits and hyphens, and unlike every other")
            }
            for kind in companion.deviceKinds { try add(kind, of: slug) }
            if let legacy = companion.legacy { try Self.check(legacy, of: slug) }
            for use in companion.outbound { try Self.check(use, of: slug) }
        }
    }

    private mutating func add(_ kind: DeviceKind, of slug: String) throws(DeclarationError) {
        guard topics[kind.name] == nil else {
            throw DeclarationError(companion: slug, reason: "there is another kind of device called \(kind.name)")
        }
        topics[kind.name] = try DeviceTopics(kind, companion: slug)
        for stream in kind.streams { try Self.check(stream, of: kind, slug) }
        try Self.check(
            days: kind.retention.readingDays, kind.retention.minuteDays, of: "readings of \(kind.name)", slug)
        guard let channel = kind.channel else { return }
        let rates = [channel.framesASecond, channel.messagesASecond]
        guard (1...PageChannelLimits.mostBytes).contains(channel.mostBytes),
            rates.allSatisfy({ (1...PageChannelLimits.mostASecond).contains($0) })
        else {
            throw DeclarationError(
                companion: slug,
                reason: """
                    the channel of \(kind.name) has 1 to \(PageChannelLimits.mostBytes) bytes a message and 1 to \
                    \(Int(PageChannelLimits.mostASecond)) messages a second
                    """)
        }
    }

    private static func check(_ stream: SampleStream, of kind: DeviceKind, _ slug: String) throws(DeclarationError) {
        let axes = stream.axes
        guard !stream.name.isEmpty, kind.streams.count(where: { $0.name == stream.name }) == 1,
            (1...SampleBlock.mostAxes).contains(axes.count), Set(axes.map(\.name)).count == axes.count,
            axes.allSatisfy({ $0.resolution > 0 && $0.resolution.isFinite }), stream.gapMicroseconds > 0
        else {
            throw DeclarationError(
                companion: slug,
                reason: """
                    the stream “\(stream.name)” of \(kind.name) wants a name of its own, 1 to \(SampleBlock.mostAxes) axes \
                    with different names and a resolution above 0, and a gap above 0
                    """)
        }
        let retention = stream.retention
        try check(
            days: retention.sampleDays, retention.summaryDays, of: "stream “\(stream.name)” of \(kind.name)", slug)
    }

    /// Checks a retention.
    ///
    /// - Parameters:
    ///   - days: the time for which data is stored; nil for ever.
    ///   - summaryDays: the time for which its summaries are stored; nil for ever.
    private static func check(days: Int?, _ summaryDays: Int?, of what: String, _ slug: String)
        throws(DeclarationError)
    {
        guard days ?? 1 >= 1, summaryDays ?? .max >= days ?? .max else {
            throw DeclarationError(
                companion: slug,
                reason: "what it stores of the \(what) is stored a day at least, and what that comes to no shorter")
        }
    }

    private static func check(_ legacy: LegacyProtocol, of slug: String) throws(DeclarationError) {
        for topic in legacy.topics {
            guard let filter = try? TopicFilter(topic.name), !filter.hasWildcard, !topic.name.hasPrefix("tandem/"),
                !topic.name.hasPrefix("$")
            else {
                throw DeclarationError(
                    companion: slug, reason: "“\(topic.name)” is no topic of an original system's own")
            }
        }
        for host in legacy.hosts {
            guard host.contains("."), case .name? = RequestHost(host) else {
                throw DeclarationError(companion: slug, reason: "“\(host)” is no name of an original system's server")
            }
        }
        for route in legacy.routes {
            let first = route.path.split(separator: "/", omittingEmptySubsequences: false).dropFirst().first ?? ""
            guard route.path.hasPrefix("/"), !first.isEmpty, !first.hasPrefix("{"), first != "api", first != "app"
            else {
                throw DeclarationError(
                    companion: slug, reason: "“\(route.path)” is no path of an original system's own")
            }
        }
    }

    private static func check(_ use: OutboundUse, of slug: String) throws(DeclarationError) {
        if case .privateNetwork(let ports, let paths) = use.reach {
            guard use.hosts.isEmpty, ports.lowerBound >= 1, ports.upperBound <= 65_535, !paths.isEmpty,
                paths.allSatisfy({ $0.wholeMatch(of: /(\/[a-z0-9-]+)+/) != nil })
            else {
                throw DeclarationError(
                    companion: slug,
                    reason: "“\(use.purpose)” stays in the house: it names ports and paths there, and no hosts")
            }
            return
        }
        let names = use.hosts.map { host in
            switch host {
            case .name(let name), .below(let name): name
            }
        }
        guard !names.isEmpty, names.allSatisfy({ $0.wholeMatch(of: /([a-z0-9-]+\.)+[a-z0-9-]*[a-z][a-z0-9-]*/) != nil })
        else {
            throw DeclarationError(
                companion: slug, reason: "“\(use.purpose)” names no hosts, or one that is no name in small letters")
        }
    }
}
