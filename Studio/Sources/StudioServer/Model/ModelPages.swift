import CoreData
import CoreDataTools
import Foundation
import HTTPTypes
import Hummingbird

/// The pages of models, which show a model as a graph and in words.
struct ModelPages {
  let studio: Studio
  let library: ModelLibrary
  let drawing: GraphDrawing

  init(studio: Studio) {
    self.studio = studio
    library = ModelLibrary(studio)
    drawing = GraphDrawing(GraphLayout(folder: studio.settings.temporaryFolder))
  }

  func add(to router: Router<BasicRequestContext>) {
    router.get("/models") { _, _ in try await list() }
    router.get("/models/:name") { request, context in
      let name = try library.file(context.parameters.get("name")).name
      return try await page(.file(name, version: request.parameter("version")))
    }
    router.get("/stores/:store/model") { _, context in
      try await page(.store(studio.stores.named(context.parameters.get("store")).name))
    }
    ComparePages(studio: studio, library: library).add(to: router)
  }

  private struct ListedFile: Sendable {
    let name: String
    let link: String
    let versions: String
    let problems: [String]
  }

  private func list() async throws -> Response {
    var files: [ListedFile] = []
    for file in library.files {
      let link = Link.path("models", file.name)
      do {
        let content = try await library.read(file)
        let names = content.versions.map { $0.name == content.current.name ? "\($0.name) (current)" : $0.name }
        files.append(
          ListedFile(
            name: file.name, link: link, versions: names.joined(separator: ", "), problems: content.unreadable))
      } catch {
        files.append(ListedFile(name: file.name, link: link, versions: "", problems: [ErrorText.text(of: error)]))
      }
    }
    return try studio.page(
      "models", "Models", .models,
      ["files": files, "isEmpty": files.isEmpty, "choices": CompareChoices(from: await library.choices(chosen: nil))])
  }

  private func page(_ reference: ModelReference) async throws -> Response {
    let loaded = try await library.load(reference)
    var store: String?
    if case .store(let name) = reference { store = name }
    let summary = ModelSummary(loaded.model, file: loaded.title, form: loaded.form)
    let content = ModelContent(loaded, summary, store: store)
    let anchors = ModelContent.anchors(of: summary)
    let sketch = ModelSketch(summary) { name in
      store.map { Link.entity($0, name) } ?? "#" + (anchors[name] ?? "")
    }
    let others = await library.choices(chosen: nil).filter { $0.value != loaded.reference.text }
    return try studio.page(
      "model", store.map { "Model of \($0)" } ?? loaded.title, store.map { .model($0) } ?? .models,
      [
        "model": content, "graph": await drawing.content(sketch, title: loaded.title),
        "compare": ["from": loaded.reference.text, "others": others] as [String: Any],
        "hasOthers": !others.isEmpty, "hasRequests": !content.requests.isEmpty,
      ])
  }
}
