import CommandSupport
import CoreDataTools
import Foundation
import HTTPTypes
import Hummingbird

// The query plan of a view, and the effect of an index on it.
extension EntityPages {
  /// Returns the explanation of a view: a part of the view's page, and a page of its own without scripts.
  func explanation(_ view: EntityView) async throws -> Response {
    let store = try studio.stores.named(view.store)
    let clock = ContinuousClock()
    do {
      let (report, kind, time) = try await store.read { reader in
        let start = clock.now
        try reader.rows(of: view.query(in: reader)) { _, _ in }
        let time = clock.now - start
        return (try reader.explain(view.query(), countsRows: true), reader.kind, time)
      }
      return try studio.page(
        "explain", "What the database does", .entity(store: view.store, view.entity),
        ["view": ViewContent(view), "explanation": ExplanationContent(report, kind, time: Self.milliseconds(time))])
    } catch let mistake as PredicateMistake {
      return try studio.page(
        "explain", "What the database does", .entity(store: view.store, view.entity), status: .badRequest,
        ["view": ViewContent(view), "mistake": ["message": mistake.message, "caret": mistake.caret]])
    }
  }

  /// Tries an index in a copy of the store.
  func tryIndex(_ view: EntityView, _ form: Form) async throws -> Response {
    let store = try studio.stores.named(view.store)
    let properties = (form["properties"] ?? "").split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
    guard !properties.isEmpty else {
      throw StudioError(.badRequest, "No properties were named", "Expected their names, separated by commas.")
    }
    let templates = studio.templates
    let job = try studio.jobs.start(
      "Index of \(view.entity) by \(properties.joined(separator: ", "))", origin: view.link(),
      section: .entity(store: view.store, view.entity)
    ) { job in
      let trial = try await store.readAtLength { reader in
        try reader.tryIndex(
          properties, entity: view.entity, for: view.query(in: reader),
          progress: { try? job.report($0) }, isCancelled: { job.isStopped })
      }
      return try templates.text("trial", ["trial": TrialContent(trial), "view": ViewContent(view)])
    }
    return Response.redirect(to: job.link)
  }
}
