import HubKit
import Hummingbird

/// Says in problem details what the router itself refuses: no such route, a body too large.
struct ProblemMiddleware<Context: RequestContext>: RouterMiddleware {
    func handle(_ request: Request, context: Context, next: (Request, Context) async throws -> Response) async throws
        -> Response
    {
        do {
            return try await next(request, context)
        } catch let error as HTTPError {
            let detail =
                switch error.status {
                case .notFound: "There is no such route. /openapi.json lists them all."
                case .contentTooLarge: "The body is larger than the hub takes."
                default: error.body ?? error.status.reasonPhrase
                }
            return try Problem(error.status, error.status.reasonPhrase, detail).response(
                from: request, context: context)
        }
    }
}
