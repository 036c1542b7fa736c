import Foundation
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import WebProtocol

/// The service: a served store over HTTP.
public struct WebServiceApplication: Sendable {
  public let store: ServedStore
  public let counts = RequestCounts()
  private let host: String
  private let port: Int

  /// - Parameters:
  ///   - host: the address to listen at. Who can reach it can read and write everything: there are no users here.
  ///   - port: 0 for one that is free.
  public init(_ store: ServedStore, host: String = "127.0.0.1", port: Int = 0) {
    (self.store, self.host, self.port) = (store, host, port)
  }

  /// Serves until the task is cancelled.
  /// - Parameters:
  ///   - heedsSignals: whether it also ends when the process is told to.
  ///   - onStart: called with the port when the service listens.
  public func run(
    heedsSignals: Bool = false, onStart: @escaping @Sendable (_ port: Int) async -> Void = { _ in }
  ) async throws {
    try await withTaskExecutorPreference(ServiceThreads.shared) {
      var logger = Logger(label: "WebService")
      // A service that its task ends cuts connections off, which the server takes for errors. What goes wrong with a request is told
      // to the asker, and what keeps the service from starting is thrown.
      logger.logLevel = .critical
      let application = Application(
        router: router, configuration: .init(address: .hostname(host, port: port), serverName: nil),
        onServerRunning: { await onStart($0.localAddress?.port ?? 0) }, logger: logger)
      try await application.runService(gracefulShutdownSignals: heedsSignals ? [.sigterm, .sigint] : [])
    }
  }

  var router: Router<BasicRequestContext> {
    let router = Router(context: BasicRequestContext.self)
    let (store, counts) = (store, counts)
    router.add(middleware: Answers(store: store, counts: counts, hosts: Hosts(host)))
    router.get("/store") { _, _ in try Self.json(store.description()) }
    router.post("/objects") { request, _ in try Self.json(await store.objects(await Self.body(request, store))) }
    router.get("/objects/:entity/:number") { _, context in
      let id = try "\(Self.part("entity", context))/\(Self.part("number", context))"
      let answer = try await store.objects(ObjectsMessage(ids: [id]))
      guard let document = answer.documents.first else { throw ServiceError(gone: id, "There is no object \(id).") }
      return try Self.json(document)
    }
    router.get("/objects/:entity/:number/:relationship") { _, context in
      let id = try "\(Self.part("entity", context))/\(Self.part("number", context))"
      return try Self.json(await store.members(id, Self.part("relationship", context)))
    }
    router.post("/query") { request, _ in try Self.json(await store.query(await Self.body(request, store))) }
    router.get("/pages/:name") { _, context in
      try Self.json(await store.page(Self.part("name", context)))
    }
    router.post("/ids") { request, _ in try Self.json(await store.ids(await Self.body(request, store))) }
    router.post("/save") { request, _ in try Self.json(await store.save(await Self.body(request, store))) }
    router.get("/saves/:request") { _, context in
      try Self.json(await store.outcome(Self.part("request", context)))
    }
    return router
  }

  /// A part of the path: the router leaves percent escapes as they are, and names of entities may have any letters.
  private static func part(_ name: String, _ context: BasicRequestContext) throws -> String {
    let part = try context.parameters.require(name)
    return part.removingPercentEncoding ?? part
  }

  /// The message of a request.
  private static func body<Message: Decodable>(_ request: Request, _ store: ServedStore) async throws -> Message {
    // A page of another site cannot send this type without being asked, as it can send forms.
    guard request.headers[.contentType]?.hasPrefix("application/json") == true else {
      throw ServiceError(415, "The content type application/json is expected.")
    }
    let bytes: ByteBuffer
    do {
      bytes = try await request.body.collect(upTo: store.limits.bodySize)
    } catch is NIOTooManyBytesError {
      throw ServiceError(413, "The request has more than \(store.limits.bodySize) bytes.")
    }
    do {
      return try JSONDecoder().decode(Message.self, from: Data(bytes.readableBytesView))
    } catch let error as DecodingError { throw ServiceError(400, "The request cannot be read: \(Self.words(error))") }
  }

  private static func words(_ error: DecodingError) -> String {
    func place(_ context: DecodingError.Context) -> String {
      let path = context.codingPath.map { $0.intValue.map { "[\($0)]" } ?? $0.stringValue }.joined(separator: ".")
      return path.isEmpty ? "the whole" : path
    }
    switch error {
    case .keyNotFound(let key, let context): return "“\(key.stringValue)” is missing in \(place(context))."
    case .typeMismatch(let type, let context): return "\(place(context)) is no \(type)."
    case .valueNotFound(let type, let context): return "\(place(context)) is null, and no \(type)."
    case .dataCorrupted(let context): return "\(place(context)): \(context.debugDescription)"
    @unknown default: return "\(error)"
    }
  }

  static func json(_ answer: some Encodable, status: Int = 200) throws -> Response {
    let data = try JSONEncoder().encode(answer)
    return Response(
      status: HTTPResponse.Status(code: status),
      headers: [.contentType: "application/json", .cacheControl: "no-store"],
      body: .init(byteBuffer: ByteBuffer(bytes: data)))
  }
}
