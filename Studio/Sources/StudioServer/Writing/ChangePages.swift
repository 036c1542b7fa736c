import CommandSupport
import CoreData
import CoreDataTools
import Foundation
import Hummingbird

/// The unsaved changes of a store: shown, undone and redone, saved in one transaction, or discarded.
struct ChangePages {
  let studio: Studio

  func add(to router: Router<BasicRequestContext>) {
    router.get("/stores/:store/changes") { request, context in
      let session = try await session(context)
      return try await page(session, isSaved: request.uri.queryParameters["saved"] != nil)
    }
    router.post("/stores/:store/changes/:action") { request, context in
      let session = try await session(context)
      let form = try await Form(request, context, studio)
      switch context.parameters.get("action") ?? "" {
      case "save": return try await save(session, nil)
      case "resolve": return try await resolve(session, form)
      case "undo": try await session.work { $0.undo() }
      case "redo": try await session.work { $0.redo() }
      case "discard": try await session.work { $0.discard() }
      case let action: throw StudioError.notFound("There is nothing called “\(action)” to do with changes.")
      }
      return Response.redirect(to: EditLink.changes(session.store))
    }
    router.get("/stores/:store/changes/conflict") { _, context in
      try await conflictPage(try await session(context), failure: nil)
    }
  }

  private func session(_ context: BasicRequestContext) async throws -> EditSession {
    try studio.writing.requireWriting()
    return try await studio.writing.session(studio.stores.named(context.parameters.get("store")))
  }

  // MARK: Changes

  private func page(_ session: EditSession, isSaved: Bool, failure: SaveFailure? = nil) async throws -> Response {
    let (list, steps) = try await session.work { session in
      (session.perform { ChangeList($0, session) }, session.steps)
    }
    var content: [String: Any] = [
      "changes": list, "summary": FigureText.count(list.total, "object"), "isEmpty": list.total == 0,
      "isSaved": isSaved, "path": EditLink.changes(session.store), "store": session.store,
      "undo": steps.undo ?? "", "canUndo": steps.undo != nil, "redo": steps.redo ?? "", "canRedo": steps.redo != nil,
    ]
    if let failure { content["refusal"] = ["what": failure.what, "lines": failure.lines] as [String: Any] }
    return try studio.page(
      "changes", "Unsaved changes", .changes(session.store), status: failure?.status ?? .ok, content)
  }

  private func save(_ session: EditSession, _ choices: ConflictChoices?) async throws -> Response {
    let (failure, hasConflicts) = try await session.work { session -> (SaveFailure?, Bool) in
      do {
        try session.save(choices)
        return (nil, false)
      } catch {
        return (session.perform { _ in SaveFailure(error, session) }, !session.conflicts.isEmpty)
      }
    }
    if hasConflicts { return Response.redirect(to: EditLink.changes(session.store) + "/conflict") }
    if let failure { return try await page(session, isSaved: false, failure: failure) }
    return Response.redirect(to: EditLink.changes(session.store) + "?saved=1")
  }

  // MARK: Conflicts

  private func conflictPage(_ session: EditSession, failure: String?) async throws -> Response {
    let conflicts = try await session.work { $0.conflicts }
    if conflicts.isEmpty { return Response.redirect(to: EditLink.changes(session.store)) }
    return try studio.page(
      "conflict", "Conflict", .changes(session.store), status: failure == nil ? .ok : .unprocessableContent,
      [
        "conflicts": conflicts, "summary": FigureText.count(conflicts.count, "object"),
        "path": EditLink.changes(session.store), "hasMistake": failure != nil, "mistakeText": failure ?? "",
      ])
  }

  private func resolve(_ session: EditSession, _ form: Form) async throws -> Response {
    let conflicts = try await session.work { $0.conflicts }
    if conflicts.isEmpty { return Response.redirect(to: EditLink.changes(session.store)) }
    do {
      return try await save(session, try ConflictChoices(form, conflicts))
    } catch let mistake as FieldMistake {
      return try await conflictPage(session, failure: mistake.text)
    }
  }
}
