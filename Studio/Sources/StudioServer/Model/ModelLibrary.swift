import CoreData
import CoreDataTools
import Foundation

/// All models of the studio: those of the files named at the start, and those contained in stores.
struct ModelLibrary: Sendable {
  /// A model that was read.
  struct Loaded: Sendable {
    let reference: ModelReference
    /// The title for users.
    let title: String
    /// The file from which tools read the model: a version's file, or the store.
    let url: URL
    let form: ModelForm
    let model: NSManagedObjectModel
  }

  /// A file of models, as a choice.
  struct File: Sendable {
    let name: String
    let url: URL
  }

  /// A choice in a form.
  struct Choice: Sendable {
    let value: String
    let title: String
    let isChosen: Bool
  }

  let files: [File]
  private let stores: OpenedStores

  init(_ studio: Studio) {
    stores = studio.stores
    var names: Set<String> = []
    files = studio.settings.models.map { url in
      var name = url.lastPathComponent
      var number = 2
      while !names.insert(name).inserted {
        name = "\(url.lastPathComponent)-\(number)"
        number += 1
      }
      return File(name: name, url: url)
    }
  }

  /// - Throws: a `StudioError` for a name that was not given at the start.
  func file(_ name: String?) throws -> File {
    guard let file = files.first(where: { $0.name == name }) else {
      throw StudioError.notFound("No model “\(name ?? "")” was named when the studio was started.")
    }
    return file
  }

  /// Reads a file with all its versions. The file is read again for each page, because developers edit it meanwhile.
  func read(_ file: File) async throws -> ModelFile {
    try await withTaskExecutorPreference(StoreThreads.shared) { try ModelFile(file.url) }
  }

  /// Reads a model.
  /// - Throws: a `StudioError` if the model was not named at the start, and a `ToolError` if the model cannot be read.
  func load(_ reference: ModelReference) async throws -> Loaded {
    switch reference {
    case .store(let name):
      let store = try stores.named(name)
      return try await store.read { reader in
        Loaded(reference: reference, title: "The store \(name)", url: store.url, form: .store, model: reader.model)
      }
    case .file(let name, let wanted):
      let file = try file(name)
      let content = try await read(file)
      guard let version = wanted.map({ name in content.versions.first { $0.name == name } }) ?? content.current else {
        throw StudioError.notFound(
          "The model “\(name)” has no version “\(wanted ?? "")”. It has "
            + content.versions.map(\.name).joined(separator: ", ") + ".")
      }
      return Loaded(
        reference: .file(name, version: version.name), title: Self.title(version.name, name), url: version.url,
        form: version.form, model: version.model)
    }
  }

  /// Returns all models, versions of files first. A file that cannot be read is left out here; its own page shows the error.
  func choices(chosen: ModelReference?, withStores: Bool = true) async -> [Choice] {
    var references: [(ModelReference, String)] = []
    for file in files {
      guard let content = try? await read(file) else { continue }
      references += content.versions.map { (.file(file.name, version: $0.name), Self.title($0.name, file.name)) }
    }
    if withStores { references += stores.all.map { (.store($0.name), "The store \($0.name)") } }
    return references.map { Choice(value: $0.text, title: $1, isChosen: $0 == chosen) }
  }

  static func title(_ version: String, _ file: String) -> String {
    let base = URL(fileURLWithPath: file).deletingPathExtension().lastPathComponent
    return base == version ? version : "\(base), version \(version)"
  }
}
