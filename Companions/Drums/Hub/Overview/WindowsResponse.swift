import DrumsEngine
import Localization

/// The timing windows of one person, for each class of links and each choice of hands.
struct WindowsResponse: Codable, Sendable {
    /// The window in which hits are on the beat, and what it was learnt from.
    struct Window: Codable, Sendable {
        /// Milliseconds.
        var centre: Int
        var half: Int
        /// The number of hits that it was learnt from; 0 while it has not moved. Nil with the words where the page may
        /// not decide about the person.
        var n: Int?
        var words: String?

        init(_ window: AdaptiveWindow, in localized: Localizer) {
            centre = Int(window.timing.centreMilliseconds)
            half = Int(window.timing.halfMilliseconds)
            n = window.count
            let (from, to) = (Self.time(centre - half), Self.time(centre + half))
            words =
                window.count == 0
                ? localized(
                    "On the beat is from \(from) to \(to). It follows these hits from \(AdaptiveWindow.leastCount) of them on."
                )
                : localized(
                    "On the beat is from \(from) to \(to): where nine of ten of the last \(window.count) hits were, as far as it has followed them."
                )
        }

        fileprivate var withoutText: Window {
            var window = self
            (window.n, window.words) = (nil, nil)
            return window
        }

        private static func time(_ milliseconds: Int) -> LocalizedText {
            switch milliseconds {
            case 0: LocalizedText("the beat")
            case ..<0: LocalizedText("\(-milliseconds) ms early")
            default: LocalizedText("\(milliseconds) ms late")
            }
        }
    }

    struct ByHands: Codable, Sendable {
        var both, left, right: Window

        fileprivate var withoutText: ByHands {
            ByHands(both: both.withoutText, left: left.withoutText, right: right.withoutText)
        }
    }

    /// The windows as a song is set up with them, and nothing of how they were learnt.
    var withoutText: WindowsResponse {
        var part = self
        part.screen = screen.withoutText
        part.keyboard = keyboard.withoutText
        part.kit = kit.withoutText
        part.midi = midi.withoutText
        return part
    }

    var screen, keyboard, kit, midi: ByHands

    /// Learns the windows from a person's sessions.
    ///
    /// - Parameter sessions: of flow mode, the earliest first.
    init(_ sessions: [TimingErrors], in localized: Localizer) {
        func windows(_ linkClass: LinkClass) -> ByHands {
            let hits = sessions.map { errors in errors.hits.filter { $0.link.linkClass == linkClass } }
            func window(_ side: Side?) -> Window {
                var window = AdaptiveWindow()
                for hits in hits where !hits.isEmpty {
                    window.learn(hits.compactMap { side == nil || $0.side == side ? $0.milliseconds : nil })
                }
                return Window(window, in: localized)
            }
            return ByHands(both: window(nil), left: window(.left), right: window(.right))
        }
        screen = windows(.screen)
        keyboard = windows(.keyboard)
        kit = windows(.kit)
        midi = windows(.midi)
    }
}
