import CoreData
import CoreDataTools
import Foundation
import Hummingbird

/// The pages that delete an object, after they have shown what the delete rules delete, change, or refuse.
struct DeletePages {
  let studio: Studio

  func add(to router: Router<BasicRequestContext>) {
    router.get("/stores/:store/objects/:entity/:key/delete") { _, context in
      let session = try await session(context)
      let reference = try EditPages.reference(context)
      let preview = try await session.work { try Self.preview(reference, $0) }
      return try shown(preview, session, isNews: false)
    }
    router.post("/stores/:store/objects/:entity/:key/delete") { request, context in
      let session = try await session(context)
      let reference = try EditPages.reference(context)
      let form = try await Form(request, context, studio)
      let refused = try await session.work { session -> DeletionPreview? in
        let preview = try Self.preview(reference, session)
        if preview.isRefused || preview.mark != form["mark"] { return preview }
        try session.act("deletion of \(reference)") { $0.delete(try session.current(reference, $0)) }
        return nil
      }
      if let refused { return try shown(refused, session, isNews: !refused.isRefused) }
      return Response.redirect(to: EditLink.changes(session.store))
    }
  }

  private func session(_ context: BasicRequestContext) async throws -> EditSession {
    try studio.writing.requireWriting()
    return try await studio.writing.session(studio.stores.named(context.parameters.get("store")))
  }

  private static func preview(_ reference: EditReference, _ session: EditSession) throws -> DeletionPreview {
    let id = try session.perform { context in
      let object = try session.current(reference, context)
      if object.isDeleted {
        throw StudioError(.conflict, "\(reference) is deleted already", "The deletion is among the unsaved changes.")
      }
      return object.objectID
    }
    return try session.trying { try DeletionPreview(try $0.existingObject(with: id), session) }
  }

  /// - Parameter isNews: Whether the deletion would now have other effects than the page showed.
  private func shown(_ preview: DeletionPreview, _ session: EditSession, isNews: Bool) throws -> Response {
    let name = preview.reference.description
    return try studio.page(
      "delete", "Delete \(name)", .entity(store: session.store, preview.reference.entity),
      status: isNews || preview.isRefused ? .conflict : .ok,
      [
        "preview": preview, "name": name, "isNews": isNews, "action": EditLink.delete(session.store, name),
        "objectLink": EditLink.object(session.store, name),
      ])
  }
}
