import Foundation
import Hummingbird
import WebProtocol

/// Checks the host, counts, lets old pages go, and makes answers of errors.
struct Answers<Context: RequestContext>: RouterMiddleware {
  let store: ServedStore
  let counts: RequestCounts
  let hosts: Hosts

  func handle(
    _ request: Request, context: Context, next: (Request, Context) async throws -> Response
  ) async throws -> Response {
    counts.note(request.uri.path)
    store.pages.dropOld()
    do {
      guard hosts.allow(request.head.authority) else {
        throw ServiceError(403, "The service is not addressed by that name.")
      }
      return try await next(request, context)
    } catch let error as ServiceError {
      return try WebServiceApplication.json(error.failure, status: error.status)
    } catch let error as HTTPError {
      return try WebServiceApplication.json(
        Failure(error.body ?? "There is nothing here."), status: error.status.code)
    } catch {
      return try WebServiceApplication.json(Failure((error as NSError).localizedDescription), status: 500)
    }
  }
}
