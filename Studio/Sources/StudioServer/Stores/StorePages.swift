import CoreDataTools
import Foundation
import HTTPTypes
import Hummingbird

/// The pages of a store: entities and rows, sizes, indexes, hashes, history, and verification.
struct StorePages {
  let studio: Studio

  func add(to router: Router<BasicRequestContext>) {
    router.get("/stores/:store") { request, context in
      try await overview(
        studio.stores.named(context.parameters.get("store")), measures: request.uri.queryParameters["sizes"] != nil)
    }
    router.get("/stores/:store/history") { request, context in
      try await history(
        studio.stores.named(context.parameters.get("store")),
        before: request.uri.queryParameters["before"].flatMap { Int64($0) })
    }
    router.post("/stores/:store/verify") { request, context in
      let store = try studio.stores.named(context.parameters.get("store"))
      _ = try await Form(request, context, studio)
      return try verify(store)
    }
  }

  /// The maximal size in bytes of a file whose tables are measured with each overview, because SQLite reads the whole file for
  /// it.
  private static let measuredSize = 64 << 20

  /// - Parameter measures: Whether the tables of a larger file are measured, too.
  private func overview(_ store: OpenedStore, measures: Bool) async throws -> Response {
    let content = try await store.read { reader in
      let report = try reader.info()
      let isSmall = (report.size ?? 0) <= Self.measuredSize
      return StoreContent(
        report, measures || isSmall ? try reader.tableSizes() : nil, canMeasure: !measures && reader.kind.isDatabase,
        store.name, model: reader.model)
    }
    return try studio.page("store", store.name, .store(store.name), ["store": content])
  }

  private func verify(_ store: OpenedStore) throws -> Response {
    let templates = studio.templates
    let job = try studio.jobs.start(
      "Verifying \(store.name)", origin: Link.store(store.name), section: .store(store.name)
    ) { job in
      let report = try await store.readAtLength { reader in
        try reader.verify(progress: { try? job.report($0) }, isCancelled: { job.isStopped })
      }
      return try templates.text("verification", ["report": VerificationContent(report, store.name)])
    }
    return Response.redirect(to: job.link)
  }

  private static let transactionsShown = 50

  private func history(_ store: OpenedStore, before: Int64?) async throws -> Response {
    let transactions = try await store.read { reader in
      try reader.history(limit: Self.transactionsShown, before: before).map { TransactionContent($0, store.name) }
    }
    var content: [String: Any] = ["store": store.name, "transactions": transactions, "isEmpty": transactions.isEmpty]
    if transactions.count == Self.transactionsShown, let last = transactions.last {
      content["older"] = [
        "link": Link.query(Link.store(store.name) + "/history", [("before", String(last.number))])
      ]
    }
    return try studio.page("history", "History of \(store.name)", .store(store.name), content)
  }
}
