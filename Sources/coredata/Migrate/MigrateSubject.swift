import CommandSupport
import CoreData
import Foundation
@_spi(Store) import OpenCoreData

/// The store that is to be migrated, and what it says about itself.
struct MigrateSubject {
  let url: URL
  let kind: StoreKind
  let metadata: [String: Any]
  /// The copy of its model that it keeps, if that can be read.
  let cachedModel: NSManagedObjectModel?
  let options: [AnyHashable: Any]

  /// - Throws: a ``ToolError`` for what is no store, or cannot be read.
  init(_ url: URL, lock: LockTimeout) throws {
    self.url = url
    kind = try StoreKind.of(url)
    options = lock.storeOptions
    guard kind.isSQLite else {
      metadata = try kind.metadata(url)
      cachedModel = try kind.keptModel(url)
      return
    }
    do {
      let store = try InspectedStore(url, timeout: lock.timeout)
      try store.requireStore()
      metadata = store.metadata
      cachedModel = store.cachedModel
      try store.requireUnchanged()
    } catch {
      throw ToolError(StoreInput.text(of: error))
    }
  }

  /// The same store, or a copy of it, to take a step with.
  func store(at place: URL? = nil, _ configuration: String?) -> ProgressiveMigration.Store {
    .init(place ?? url, type: kind.type, configuration: configuration, options: options)
  }

  var hashes: [String: Data] { metadata[NSStoreModelVersionHashesKey] as? [String: Data] ?? [:] }

  /// Whether a model is the store's, as a whole or in one of its configurations.
  func configuration(of model: NSManagedObjectModel) -> StoreConfiguration? {
    if model.isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata) { return .whole }
    return model.configurations.sorted().first {
      model.isConfiguration(withName: $0, compatibleWithStoreMetadata: metadata)
    }.map { .named($0) }
  }
}

/// What of a model a store holds.
enum StoreConfiguration {
  case whole
  case named(String)

  var name: String? { if case .named(let name) = self { name } else { nil } }
}
