import HubKit
import Hummingbird
import Localization

/// Says in problem details what went wrong, in the language of whoever asks (RFC 9110, 12.5.4): what routes throw, and what
/// the router itself refuses.
struct ProblemMiddleware<Context: RequestContext>: RouterMiddleware {
    /// The sentences of the hub and of all companions.
    let catalog: StringCatalog
    /// The paths of original systems, whose clients look for a `message`.
    var legacy = LegacyPaths()

    func handle(_ request: Request, context: Context, next: (Request, Context) async throws -> Response) async throws
        -> Response
    {
        do {
            return try await next(request, context)
        } catch let problem as Problem {
            return response(problem, to: request)
        } catch let error as HTTPError {
            return response(Self.problem(error), to: request)
        }
    }

    private func response(_ problem: Problem, to request: Request) -> Response {
        let language = Language.preferred(
            acceptLanguage: request.headers[.acceptLanguage] ?? "", among: catalog.languages)
        var problem = problem
        if legacy.match(request.uri.path) { problem.hasMessage = true }
        return problem.response(in: language, from: catalog)
    }

    private static func problem(_ error: HTTPError) -> Problem {
        let title = LocalizedText(verbatim: error.status.reasonPhrase)
        return switch error.status {
        case .notFound:
            Problem(
                .notFound, title: title,
                detail: LocalizedText("There is no such route. /openapi.json lists them all."))
        case .contentTooLarge:
            Problem(.contentTooLarge, title: title, detail: LocalizedText("The body is larger than the hub takes."))
        default:
            Problem(
                error.status, title: title, detail: LocalizedText(verbatim: error.body ?? error.status.reasonPhrase))
        }
    }
}
