import HubKit
import ServiceLifecycle

// The routes and the service that a companion's session definition brings: they take sessions in, and close those that nobody goes
// on with.
extension HubApplication {
    /// The services of all companions, which run as long as the hub does.
    public var companionServices: [any Service] {
        companions.flatMap { companion in
            (companion.sessionDefinition.map { [service(of: $0)] } ?? []) + companion.services
        }
    }

    /// Adds the routes of all companions, and those of their sessions.
    func addCompanionRoutes(to routes: Routes) {
        for companion in companions {
            let own = routes.of(companion: type(of: companion).slug)
            if let definition = companion.sessionDefinition { add(definition, to: own) }
            companion.addRoutes(to: own)
        }
    }

    /// Checks a companion's session definition.
    ///
    /// - Throws: `DeclarationError` if sessions would be stored as another companion's.
    static func check(_ definition: (any SessionDefinition)?, of slug: String) throws(DeclarationError) {
        guard let definition else { return }
        let name = type(of: definition).companion
        guard name == slug else {
            throw DeclarationError(
                companion: slug, reason: "the definition of its sessions says that they are of “\(name)”")
        }
    }

    private func service(of definition: some SessionDefinition) -> any Service {
        ActiveSessionService(ActiveSessions(definition, hub: hub))
    }

    private func add(_ definition: some SessionDefinition, to routes: Routes) {
        let active = ActiveSessionRoutes(ActiveSessions(definition, hub: hub))
        active.add(to: routes)
        active.addWhole(to: routes)
    }
}
