import CoreData
import CoreDataTools
import Foundation
import Hummingbird

/// The forms of existing and of new objects.
struct EditPages {
  let studio: Studio

  func add(to router: Router<BasicRequestContext>) {
    router.get("/stores/:store/objects/:entity/:key/edit") { request, context in
      let session = try await session(context)
      let reference = try Self.reference(context)
      let isDone = request.uri.queryParameters["done"] != nil
      return try await page(session, reference, isDone: isDone)
    }
    router.post("/stores/:store/objects/:entity/:key/edit") { request, context in
      let session = try await session(context)
      return try await change(session, Self.reference(context), try await Form(request, context, studio))
    }
    router.get("/stores/:store/entities/:entity/new") { _, context in
      try await newPage(try await session(context), context.parameters.get("entity") ?? "")
    }
    router.post("/stores/:store/entities/:entity/new") { request, context in
      let session = try await session(context)
      return try await make(session, context.parameters.get("entity") ?? "", try await Form(request, context, studio))
    }
  }

  private func session(_ context: BasicRequestContext) async throws -> EditSession {
    try studio.writing.requireWriting()
    return try await studio.writing.session(studio.stores.named(context.parameters.get("store")))
  }

  static func reference(_ context: BasicRequestContext) throws -> EditReference {
    let text = "\(context.parameters.get("entity") ?? "")/\(context.parameters.get("key") ?? "")"
    guard let reference = EditReference(text) else {
      throw StudioError.notFound("“\(text)” names no object. Expected an entity and a key, such as Person/p1.")
    }
    return reference
  }

  // MARK: An object

  private func page(_ session: EditSession, _ reference: EditReference, isDone: Bool) async throws -> Response {
    let form = try await session.work { session -> EditForm in
      try session.perform { try EditForm(try session.current(reference, $0), session, form: nil) }
    }
    // The object was saved after the page was made, and has a permanent ID now.
    if form.reference != reference {
      return Response.redirect(to: EditLink.edit(session.store, form.reference.description))
    }
    return try shown(form, session, isDone: isDone)
  }

  private func change(_ session: EditSession, _ reference: EditReference, _ form: Form) async throws -> Response {
    let failed = try await session.work { session -> EditForm? in
      let id = try session.perform { try session.current(reference, $0).objectID }
      let read = try session.trying { child in
        ObjectForm(trying: form, on: try child.existingObject(with: id), session)
      }
      if !read.problems.isEmpty {
        return try session.perform { try EditForm(try session.current(reference, $0), session, form: read) }
      }
      let edit = read.edit
      if edit.isEmpty { return nil }
      let problems = try session.act("change of \(reference)") { context in
        edit.apply(to: try context.existingObject(with: id), session)
      }
      if let problem = problems.first {
        throw StudioError(.conflict, "Not all was applied", "\(problem.key): \(problem.value)")
      }
      return nil
    }
    if let failed { return try shown(failed, session, isDone: false) }
    return Response.redirect(to: EditLink.edit(session.store, reference.description) + "?done=1")
  }

  // MARK: A new object

  private func newPage(_ session: EditSession, _ entity: String) async throws -> Response {
    let form = try await session.work { session -> EditForm in
      try session.trying { child in
        let object = try Self.insert(entity, child, session)
        return try EditForm(object, session, form: nil)
      }
    }
    return try shown(form, session, isDone: false)
  }

  private func make(_ session: EditSession, _ entity: String, _ form: Form) async throws -> Response {
    let (failed, made) = try await session.work { session -> (EditForm?, EditReference?) in
      let read = try session.trying { child in
        ObjectForm(trying: form, on: try Self.insert(entity, child, session), session)
      }
      if !read.problems.isEmpty {
        let refused = try session.trying { child in
          try EditForm(try Self.insert(entity, child, session), session, form: read)
        }
        return (refused, nil)
      }
      let edit = read.edit
      let reference = try session.act("new \(entity)") { context in
        let object = try Self.insert(entity, context, session)
        _ = edit.apply(to: object, session)
        return session.enlist(object)
      }
      return (nil, reference)
    }
    if let failed { return try shown(failed, session, isDone: false) }
    return Response.redirect(to: EditLink.edit(session.store, made?.description ?? "") + "?done=1")
  }

  /// - Throws: a `StudioError` if the model has no such entity, or if the entity is abstract.
  private static func insert(
    _ name: String, _ context: NSManagedObjectContext, _ session: EditSession
  ) throws -> NSManagedObject {
    guard let entity = session.writer.model.entitiesByName[name] else {
      throw StudioError.notFound("The model has no entity “\(name)”.")
    }
    if entity.isAbstract {
      let names = entity.subentitiesByName.keys.sorted().joined(separator: ", ")
      throw StudioError(
        .badRequest, "\(name) is abstract", "There are no objects of it. Make one of an entity below it: \(names).")
    }
    return NSEntityDescription.insertNewObject(forEntityName: name, into: context)
  }

  // MARK: The page

  private func shown(_ form: EditForm, _ session: EditSession, isDone: Bool) throws -> Response {
    let entity = form.reference.entity
    var content: [String: Any] = [
      "form": form, "isDone": isDone, "changesLink": EditLink.changes(session.store),
      "unsaved": session.changeCount,
    ]
    if form.isNewForm {
      content["action"] = Link.entity(session.store, entity) + "/new"
      content["backTo"] = ["link": Link.entity(session.store, entity), "title": "All of \(entity)"]
    } else {
      content["action"] = EditLink.edit(session.store, form.reference.description)
      if case .stored(let reference) = form.reference {
        content["backTo"] = ["link": Link.object(session.store, "\(reference)"), "title": "\(reference)"]
      } else {
        content["backTo"] = ["link": Link.entity(session.store, entity), "title": "All of \(entity)"]
      }
      content["deleteLink"] = ["link": EditLink.delete(session.store, form.reference.description)]
    }
    return try studio.page(
      "edit", form.heading, .entity(store: session.store, entity),
      status: form.hasProblems ? .unprocessableContent : .ok,
      content)
  }
}
