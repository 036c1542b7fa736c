import Foundation
import Hummingbird

/// Lets requests through for files that lie in the folder itself, and for parts of them that there are.
struct SeedFiles: RouterMiddleware {
  let folder: URL

  func handle(
    _ request: Request, context: BasicRequestContext, next: (Request, BasicRequestContext) async throws -> Response
  ) async throws -> Response {
    let name = request.uri.path.dropFirst().removingPercentEncoding ?? ""
    // What begins with a dot, and what lies deeper, was not meant to be served.
    guard !name.isEmpty, !name.hasPrefix("."), !name.contains("/"), let size = size(name) else {
      throw HTTPError(.notFound)
    }
    guard let range = request.headers[.range] else { return try await next(request, context) }
    guard let start = Self.start(range) else {
      // The last bytes, or several parts: a server may send the whole instead, and the one below takes them for something else.
      var head = request.head
      head.headerFields[.range] = nil
      return try await next(Request(head: head, body: request.body), context)
    }
    guard start < size else {
      return Response(status: .rangeNotSatisfiable, headers: [.contentRange: "bytes */\(size)"])
    }
    return try await next(request, context)
  }

  /// The size of a file; nil if there is none of that name.
  private func size(_ name: String) -> Int? {
    let path = folder.appending(path: name).path
    guard let attributes = try? FileManager.default.attributesOfItem(atPath: path),
      attributes[.type] as? FileAttributeType == .typeRegular
    else { return nil }
    return (attributes[.size] as? NSNumber)?.intValue
  }

  /// The first byte of `bytes=10-` or `bytes=10-20`; nil for what is said in another way.
  static func start(_ range: String) -> Int? {
    guard let match = range.wholeMatch(of: #/bytes=([0-9]+)-([0-9]*)/#), let start = Int(match.1) else { return nil }
    if match.2.isEmpty { return start }
    guard let end = Int(match.2), end >= start else { return nil }
    return start
  }
}
