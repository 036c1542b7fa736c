import Foundation
import HTTPTypes
import Hummingbird

/// Refuses requests that do not come from a page of this studio.
///
/// - A request without the cookie is refused. Only the printed address sets the cookie.
/// - A request whose `Host` is not the studio's own is refused: if a foreign name resolves to this address (DNS rebinding), a
///   foreign page could read responses.
/// - An `Origin` or `Sec-Fetch-Site` of another site is refused.
struct AccessGuard<Context: RequestContext>: RouterMiddleware {
  static var cookie: String { "studio" }
  /// The path of the printed address, which sets the cookie.
  static var entrance: String { "/enter" }

  let key: AccessKey
  let hosts: AllowedHosts

  func handle(
    _ request: Request, context: Context, next: (Request, Context) async throws -> Response
  ) async throws -> Response {
    guard hosts.allows(request.head.authority) else {
      throw StudioError(
        .misdirectedRequest, "This address is not the studio's own",
        "The request was for “\(request.head.authority ?? "no host")”. Use the address that was printed at the start.")
    }
    if let origin = request.headers[.origin], origin != "http://\(request.head.authority ?? "")" {
      throw StudioError(.forbidden, "Requests from other sites are refused", "This one came from “\(origin)”.")
    }
    if let site = request.headers[.secFetchSite], !["same-origin", "none"].contains(site),
      request.method != .get || request.headers[.secFetchMode] != "navigate"
    {
      throw StudioError(.forbidden, "Requests from other sites are refused", "This one is marked “\(site)”.")
    }
    if request.uri.path == Self.entrance { return try await next(request, context) }
    guard let value = request.cookies[Self.cookie]?.value, key.matches(value) else {
      throw StudioError(
        .unauthorized, "The key is missing",
        "Open the address that the studio printed when it was started; it carries a key, which changes with each start."
      )
    }
    return try await next(request, context)
  }
}
