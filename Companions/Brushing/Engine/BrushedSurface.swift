/// The side of the teeth that is brushed, in the order of the Bass technique as dentists teach it: the outside, the
/// inside, then the tops; the number is what the page receives.
public enum BrushedSurface: Int32, Sendable {
    /// Along the gum, towards lips and cheeks.
    case outside = 0
    /// Along the gum, towards the tongue.
    case inside = 1
    /// The chewing surfaces.
    case tops = 2
}

extension SessionView {
    /// The surface that is brushed now, each for a third of the time; nil for floss and rinse.
    public var surface: BrushedSurface? {
        guard kind == .brush else { return nil }
        return fraction * 3 < 65_536 ? .outside : fraction * 3 < 2 * 65_536 ? .inside : .tops
    }
}
