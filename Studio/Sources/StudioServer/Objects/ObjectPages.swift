import CommandSupport
import CoreData
import CoreDataTools
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore

/// The page of an object: its values, the objects that it refers to, the objects that refer to it, and its history.
struct ObjectPages {
  let studio: Studio

  /// The maximal number of members and of referring objects on a page.
  private static let shown = 100

  func add(to router: Router<BasicRequestContext>) {
    router.get("/stores/:store/objects/:entity/:key") { _, context in
      try await page(studio.stores.named(context.parameters.get("store")), Self.reference(context))
    }
    router.get("/stores/:store/objects/:entity/:key/members/:relationship") { request, context in
      try await members(
        studio.stores.named(context.parameters.get("store")), Self.reference(context),
        context.parameters.get("relationship") ?? "", request.uri.queryParameters["from"].flatMap { Int($0) } ?? 0)
    }
    router.get("/stores/:store/objects/:entity/:key/referrers") { _, context in
      try await referrers(studio.stores.named(context.parameters.get("store")), Self.reference(context))
    }
    router.get("/stores/:store/objects/:entity/:key/data/:attribute") { _, context in
      try await data(
        studio.stores.named(context.parameters.get("store")), Self.reference(context),
        context.parameters.get("attribute") ?? "")
    }
  }

  private static func reference(_ context: BasicRequestContext) throws -> ObjectReference {
    let text = "\(context.parameters.get("entity") ?? "")/\(context.parameters.get("key") ?? "")"
    guard let reference = ObjectReference(text) else {
      throw StudioError.notFound("“\(text)” names no object. Expected an entity and a key, such as Person/p1.")
    }
    return reference
  }

  static func missing(_ reference: ObjectReference) -> StudioError {
    StudioError.notFound("There is no object \(reference) in the store, or not any more.")
  }

  // MARK: Pages

  private func page(_ store: OpenedStore, _ reference: ObjectReference) async throws -> Response {
    let (content, history) = try await store.read { reader in
      guard let object = try reader.object(reference) else { throw Self.missing(reference) }
      let history = try reader.history(of: object.reference, limit: 20)
      return (
        ObjectContent(object, store.name, model: reader.model), history.map { TransactionContent($0, store.name) }
      )
    }
    let name = content.name
    return try studio.page(
      "object", "\(reference)", .entity(store: store.name, reference.entity),
      [
        "editing": studio.writing.areOffered(store)
          ? [["edit": EditLink.edit(store.name, name), "delete": EditLink.delete(store.name, name)]] : [],
        "object": content, "transactions": history, "hasHistory": !history.isEmpty,
        "referrersLink": Link.object(store.name, reference.description) + "/referrers",
      ])
  }

  private func members(
    _ store: OpenedStore, _ reference: ObjectReference, _ relationship: String, _ offset: Int
  ) async throws -> Response {
    let (members, count) = try await store.read { reader in
      guard let object = try reader.object(reference) else { throw Self.missing(reference) }
      guard let toMany = object.toManys.first(where: { $0.name == relationship }) else {
        throw StudioError.notFound("\(object.reference.entity) has no to-many relationship “\(relationship)”.")
      }
      let members = try reader.members(
        of: object.reference, relationship: relationship, limit: Self.shown, offset: offset)
      return (members, toMany.count)
    }
    let path = Link.object(store.name, reference.description) + "/members/" + Link.escaped(relationship)
    func link(_ offset: Int) -> [String: String] { ["link": Link.query(path, [("from", String(offset))])] }
    var content: [String: Any] = [
      "object": reference.description, "objectLink": Link.object(store.name, reference.description),
      "relationship": relationship, "count": FigureText.count(count, "object"),
      "members": members.map { ["text": $0.description, "link": Link.object(store.name, $0.description)] },
    ]
    if offset > 0 { content["previous"] = link(max(offset - Self.shown, 0)) }
    if offset + members.count < count { content["next"] = link(offset + Self.shown) }
    return try studio.page(
      "members", "\(relationship) of \(reference)", .entity(store: store.name, reference.entity), content)
  }

  private func referrers(_ store: OpenedStore, _ reference: ObjectReference) async throws -> Response {
    let referrers = try await store.read { reader in
      guard try reader.object(reference) != nil else { throw Self.missing(reference) }
      return try reader.referrers(of: reference, limit: Self.shown)
    }
    return try studio.page(
      "referrers", "What points to \(reference)", .entity(store: store.name, reference.entity),
      [
        "object": reference.description, "objectLink": Link.object(store.name, reference.description),
        "isEmpty": referrers.isEmpty, "shown": Self.shown,
        "referrers": referrers.map {
          [
            "relationship": "\($0.entity).\($0.relationship)", "text": $0.object.description,
            "link": Link.object(store.name, $0.object.description),
          ]
        },
      ])
  }

  /// Returns the bytes of a value: a picture to show, or a file to download.
  private func data(_ store: OpenedStore, _ reference: ObjectReference, _ attribute: String) async throws -> Response {
    let (bytes, isSecret) = try await store.read { reader in
      guard let object = try reader.object(reference) else { throw Self.missing(reference) }
      guard let value = object.attributes.first(where: { $0.keyPath == attribute }), case .data(let bytes) = value.value
      else { throw StudioError.notFound("\(reference) has no bytes in “\(attribute)”.") }
      return (bytes, SecretKeyPaths(object.reference.entity, reader.model).contains(attribute))
    }
    if isSecret { throw StudioError(.forbidden, "The attribute is marked secret", "Its values are not shown.") }
    let type = PictureType(bytes)
    var headers: HTTPFields = [.contentType: type?.rawValue ?? "application/octet-stream"]
    if type == nil { headers[.contentDisposition] = "attachment" }
    return Response(status: .ok, headers: headers, body: .init(byteBuffer: ByteBuffer(bytes: bytes)))
  }
}
