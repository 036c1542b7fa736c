import CommandSupport
import CoreData
import CoreDataTools
import Foundation
import HTTPTypes
import Hummingbird

/// The objects of an entity as a table of any length, with the bar for predicates.
struct EntityPages {
  let studio: Studio

  func add(to router: Router<BasicRequestContext>) {
    router.get("/stores/:store/entities") { _, context in try await list(context) }
    router.get("/stores/:store/entities/:entity") { request, context in
      try await page(EntityView(request, context))
    }
    router.get("/stores/:store/entities/:entity/rows") { request, context in
      try await rows(EntityView(request, context))
    }
    router.get("/stores/:store/entities/:entity/count") { request, context in
      try await count(EntityView(request, context))
    }
    router.get("/stores/:store/entities/:entity/suggestions") { request, context in
      try await suggestions(EntityView(request, context), request)
    }
    router.get("/stores/:store/entities/:entity/explain") { request, context in
      try await explanation(EntityView(request, context))
    }
    router.post("/stores/:store/entities/:entity/index") { request, context in
      try await tryIndex(EntityView(request, context), Form(request, context, studio))
    }
    for format in ObjectDownload.Format.allCases {
      router.get(RouterPath("/stores/:store/entities/:entity/\(format.fileName)")) { request, context in
        let view = try EntityView(request, context)
        return try await ObjectDownload(view, format).response(from: studio.stores.named(view.store), request)
      }
    }
  }

  // MARK: Pages

  private struct ListedEntity {
    let name: String
    let link: String
    let superentity: String?
    let isAbstract: Bool
    let properties: Int
  }

  private func list(_ context: BasicRequestContext) async throws -> Response {
    let store = try studio.stores.named(context.parameters.get("store"))
    let entities = try await store.read { reader in
      reader.model.entities.sorted { ($0.name ?? "") < ($1.name ?? "") }.map { entity in
        ListedEntity(
          name: entity.name ?? "", link: Link.entity(store.name, entity.name ?? ""),
          superentity: entity.superentity?.name, isAbstract: entity.isAbstract, properties: entity.properties.count)
      }
    }
    return try studio.page(
      "entities", "Objects of \(store.name)", .entity(store: store.name, ""),
      ["store": store.name, "entities": entities])
  }

  private func page(_ view: EntityView) async throws -> Response {
    let store = try studio.stores.named(view.store)
    let clock = ContinuousClock()
    let start = clock.now
    var content: [String: Any] = [:]
    var choices: [String] = []
    do {
      let found = try await store.read { reader in
        guard reader.model.entitiesByName[view.entity] != nil else {
          throw StudioError.notFound("The model of “\(view.store)” has no entity “\(view.entity)”.")
        }
        return try FoundObjects(view, reader, known: store.counts.ofNow(store.url).number(view))
      }
      choices = found.choices
      content.merge(found.content(view, Self.milliseconds(clock.now - start))) { $1 }
    } catch let mistake as PredicateMistake {
      content["mistake"] = ["message": mistake.message, "caret": mistake.caret]
      choices = try await store.read { try $0.valueColumns(of: view.entity) }
    }
    content["view"] = ViewContent(view)
    if studio.writing.areOffered(try studio.stores.named(view.store)) {
      content["making"] = ["newLink": Link.entity(view.store, view.entity) + "/new"]
    }
    content["choices"] = choices.map { choice in
      ["name": choice, "isChosen": view.columns.contains(choice)] as [String: Any]
    }
    content["downloads"] = ObjectDownload.Format.allCases.map {
      ["title": $0.title, "link": view.with { $0.offset = 0 }.link("/\($0.fileName)")]
    }
    return try studio.page(
      "entity", "\(view.entity) in \(view.store)", .entity(store: view.store, view.entity),
      status: content["mistake"] == nil ? .ok : .badRequest, content)
  }

  /// Returns the rows at a place, for the script that scrolls.
  private func rows(_ view: EntityView) async throws -> Response {
    let store = try studio.stores.named(view.store)
    let table = try await store.read { reader in
      let query = try view.query(in: reader)
      var rows: [(ObjectReference, [StoreValue])] = []
      try reader.rows(of: query) { rows.append(($0, $1)) }
      return ObjectTable(view, try reader.columns(of: query), rows, model: reader.model)
    }
    return Studio.html(table.html)
  }

  private struct Count: Encodable {
    var total: Int
    var text: String
  }

  /// Returns the number of objects in a view. Unless the number is cached, counting takes as long as reading all objects. So
  /// the script of the page requests the number, and the page need not wait for it.
  private func count(_ view: EntityView) async throws -> Response {
    let total = try await studio.stores.named(view.store).count(view)
    return try Studio.json(Count(total: total, text: FigureText.grouped(total)))
  }

  private struct Suggestions: Encodable {
    struct Suggestion: Encodable {
      var text: String
      var kind: String
      var detail: String
      var start: Int
      var end: Int
    }

    struct Mistake: Encodable {
      var message: String
      var caret: String
      var offset: Int
    }

    var suggestions: [Suggestion]
    var mistake: Mistake?
  }

  /// Returns the possible completions at the cursor in the predicate bar, and the error in the text so far.
  private func suggestions(_ view: EntityView, _ request: Request) async throws -> Response {
    let text = request.parameter("text") ?? ""
    let offset = request.parameter("at").flatMap { Int($0) } ?? text.count
    let answer = try await studio.stores.named(view.store).read { reader in
      Suggestions(
        suggestions: PredicateCompletion.suggestions(
          for: text, at: offset, entity: view.entity, model: reader.model
        ).prefix(30).map {
          .init(
            text: $0.text, kind: $0.kind.rawValue, detail: $0.detail, start: $0.range.lowerBound,
            end: $0.range.upperBound)
        },
        mistake: PredicateCompletion.mistakes(in: text, entity: view.entity, model: reader.model).map {
          .init(message: $0.message, caret: $0.caret, offset: $0.offset)
        })
    }
    return try Studio.json(answer)
  }

  static func milliseconds(_ duration: Duration) -> String {
    let value = Double(duration.components.attoseconds) / 1e15 + Double(duration.components.seconds) * 1e3
    return value < 10
      ? String(format: "%.1f ms", value)
      : value < 1_000
        ? String(format: "%.0f ms", value)
        : String(format: "%.2f s", value / 1_000)
  }
}
