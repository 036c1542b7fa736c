import CommandSupport
import CoreDataTools
import Foundation
import HTTPTypes
import Hummingbird

/// Turns errors into pages that show the cause and the remedy: a removed store, a full disk, a damaged file. The studio
/// goes on running.
struct ErrorPages: RouterMiddleware {
  let studio: Studio

  func handle(
    _ request: Request, context: BasicRequestContext, next: (Request, BasicRequestContext) async throws -> Response
  ) async throws -> Response {
    do {
      return try await next(request, context)
    } catch let error as StudioError {
      return try page(error.status, error.title, error.text, request)
    } catch let error as HTTPError {
      let text = error.status == .notFound ? "There is no page at \(request.uri.path)." : error.body ?? ""
      return try page(error.status, error.status.reasonPhrase, text, request)
    } catch let error as PredicateMistake {
      return try page(.badRequest, "The predicate cannot be read", error.message, request)
    } catch is CancellationError {
      return try page(.init(code: 499, reasonPhrase: "Stopped"), "Stopped", "The work was stopped.", request)
    } catch {
      return try page(.internalServerError, "This did not work", ErrorText.text(of: error), request)
    }
  }

  private func page(
    _ status: HTTPResponse.Status, _ title: String, _ text: String, _ request: Request
  ) throws -> Response {
    if request.headers[.accept]?.contains("application/json") == true {
      return try Studio.json(["error": title, "text": text], status: status)
    }
    // A request without the key does not get the list of stores.
    let hasKey = request.cookies[AccessGuard<BasicRequestContext>.cookie].map { studio.key.matches($0.value) } ?? false
    let content: [String: Any] = ["failure": ["what": title, "text": text]]
    guard hasKey else { return Studio.html(try studio.templates.text("refused", content), status: status) }
    return try studio.page("error", title, .none, status: status, content)
  }
}
