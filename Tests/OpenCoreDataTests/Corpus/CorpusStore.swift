import CoreData
import Foundation
import Testing

@_spi(Store) @testable import OpenCoreData

/// One store of the corpus, named by its path below the corpus.
struct CorpusStore: CustomStringConvertible, Sendable {
  let path: String

  static let all = Corpus.files(".sqlite", below: "stores").map { CorpusStore(path: $0.path) }

  var description: String { path.components(separatedBy: "/stores/").last ?? path }

  /// A copy in a folder of its own, with log and external values.
  /// - Parameter index: whether to take the index of the log along, too, which SQLite makes anew if it must.
  func copy(index: Bool = false) throws -> URL {
    let original = URL(fileURLWithPath: path)
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("ocd-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let support = ".\(original.deletingPathExtension().lastPathComponent)_SUPPORT"
    var names = [original.lastPathComponent, original.lastPathComponent + "-wal", support]
    if index { names.append(original.lastPathComponent + "-shm") }
    for name in names {
      let source = original.deletingLastPathComponent().appendingPathComponent(name)
      guard FileManager.default.fileExists(atPath: source.path) else { continue }
      try FileManager.default.copyItem(at: source, to: folder.appendingPathComponent(name))
    }
    for name in try FileManager.default.subpathsOfDirectory(atPath: folder.path) {
      let path = folder.appendingPathComponent(name).path
      var isFolder: ObjCBool = false
      _ = FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
      try FileManager.default.setAttributes([.posixPermissions: isFolder.boolValue ? 0o755 : 0o644], ofItemAtPath: path)
    }
    return folder.appendingPathComponent(original.lastPathComponent)
  }

  /// Where a store's model comes from.
  enum Source: String, CaseIterable, Sendable { case file, cache }

  /// The model that has the store's hashes, and the configuration if the store holds one; nil when there is none.
  func model(from source: Source) throws -> (model: NSManagedObjectModel, configuration: String?)? {
    let stored = try #require(
      Corpus.metadata(of: URL(fileURLWithPath: path))["NSStoreModelVersionHashes"] as? [String: Data])
    if source == .cache {
      return try StoredModel(contentsOf: copy()).model.map { ($0, nil) }
    }
    let parts = path.components(separatedBy: "/")
    let repository = parts[(parts.lastIndex(of: "stores") ?? 0) + 1]
    let files = ["/contents", "/elements"].flatMap { Corpus.files($0, below: "stores/\(repository)") }
      .map { $0.deletingLastPathComponent() }
    for file in files + Corpus.files(".mom", below: "stores/\(repository)") {
      guard let model = NSManagedObjectModel(contentsOf: file) else { continue }
      if model.entityVersionHashesByName == stored { return (model, nil) }
      for name in model.configurations {
        let entities = model.entities(forConfigurationName: name) ?? []
        let hashes = Dictionary(entities.map { ($0.name ?? "", $0.versionHash) }, uniquingKeysWith: { $1 })
        if hashes == stored { return (model, name) }
      }
    }
    return nil
  }

  /// Why a store has no model of a kind, as far as that is known of the corpus.
  func reasonWithoutModel(_ source: Source) -> String? {
    switch source {
    case .cache: description.hasPrefix("restkit-twitter/") ? "written in 2009, before there were caches" : nil
    case .file:
      switch description.prefix(while: { $0 != "/" }) {
      case "loopkit": "there is no model of it"
      default: Self.withoutModelFile.first { description.contains($0.key) }?.value
      }
    }
  }

  private static let withoutModelFile = [
    "UserData_DB_invalid": "made of another model on purpose",
    "SQLiteExamples/CoreDataKitTests": "made of other versions of the model",
    "SampleModel2": "its model is made in code",
  ]
}
