import HTTPTypes
import Hummingbird

/// Adds to every response the headers that allow scripts and styles only from the studio's own files, no content from
/// other sites, and no frame around the page.
struct SecurityHeaders<Context: RequestContext>: RouterMiddleware {
  /// The policy allows styles in attributes, for the widths of bars; scripts inside of pages are not run at all.
  private static var policy: String {
    """
    default-src 'none'; script-src 'self'; style-src 'self'; style-src-attr 'unsafe-inline'; img-src 'self' data:; \
    connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'
    """
  }

  func handle(
    _ request: Request, context: Context, next: (Request, Context) async throws -> Response
  ) async throws -> Response {
    var response = try await next(request, context)
    response.headers[.contentSecurityPolicy] = Self.policy
    response.headers[.xContentTypeOptions] = "nosniff"
    // The value is not “no-referrer”: browsers would then send the studio's own forms with “Origin: null”, which is refused.
    response.headers[.referrerPolicy] = "same-origin"
    response.headers[.crossOriginOpenerPolicy] = "same-origin"
    response.headers[.crossOriginResourcePolicy] = "same-origin"
    if response.headers[.cacheControl] == nil { response.headers[.cacheControl] = "no-store" }
    return response
  }
}
