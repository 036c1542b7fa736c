import Foundation
import Hummingbird

/// Gives pages the decoded parts of a path: a store may be named `My store.sqlite`, and the router leaves `%20` as it is.
struct DecodedParts: RouterMiddleware {
  func handle(
    _ request: Request, context: BasicRequestContext, next: (Request, BasicRequestContext) async throws -> Response
  ) async throws -> Response {
    var context = context
    context.coreContext.parameters = Parameters(
      context.parameters.map { ($0.key, $0.value.removingPercentEncoding.map { $0[...] } ?? $0.value) })
    return try await next(request, context)
  }
}
