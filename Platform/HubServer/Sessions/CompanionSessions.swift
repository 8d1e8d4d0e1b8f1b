import HubKit
import ServiceLifecycle

// What a companion that declares the format of its sessions gets from the platform: their routes, and what closes those that
// nobody goes on with.
extension HubApp {
    /// The services of all companions, which run as long as the hub does.
    public var companionServices: [any Service] {
        companions.flatMap { companion in
            (companion.sessionFormat.map { [service(of: $0)] } ?? []) + companion.services
        }
    }

    /// Adds the routes of all companions, and those of their sessions.
    func addCompanionRoutes(to routes: Routes) {
        for companion in companions {
            if let format = companion.sessionFormat { add(format, to: routes) }
            companion.addRoutes(to: routes)
        }
    }

    /// Checks a companion's session format.
    ///
    /// - Throws: `DeclarationError` if sessions would be stored as another companion's.
    static func check(_ format: (any SessionFormat)?, of slug: String) throws(DeclarationError) {
        guard let format else { return }
        let name = type(of: format).companion
        guard name == slug else {
            throw DeclarationError(
                companion: slug, reason: "the format of its sessions says that they are of “\(name)”")
        }
    }

    private func service(of format: some SessionFormat) -> any Service {
        ActiveSessionService(ActiveSessions(format, hub: hub))
    }

    private func add(_ format: some SessionFormat, to routes: Routes) {
        let active = ActiveSessionRoutes(ActiveSessions(format, hub: hub))
        active.add(to: routes)
        active.addWhole(to: routes)
    }
}
