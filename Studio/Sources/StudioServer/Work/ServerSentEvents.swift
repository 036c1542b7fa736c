import Foundation
import HTTPTypes
import Hummingbird
import NIOCore

/// Responses that go on: a page listens to their events with `EventSource`.
enum ServerSentEvents {
  /// - Parameter body: Sends values until it returns. The call is cancelled if the browser closes the connection.
  static func response(
    _ request: Request,
    _ body: @escaping @Sendable (_ send: (any Encodable) async throws -> Void) async throws -> Void
  ) -> Response {
    Response(
      status: .ok, headers: [.contentType: "text/event-stream", .cacheControl: "no-store"],
      body: .init { writer in
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        try await request.body.consumeWithCancellationOnInboundClose { _ in
          try await body { value in
            let json = try encoder.encode(value)
            try await writer.write(ByteBuffer(string: "data: \(String(decoding: json, as: UTF8.self))\n\n"))
          }
        }
        try await writer.finish(nil)
      })
  }
}
