import CommandSupport
import CoreData
import Foundation
@_spi(Store) import OpenCoreData

/// The store to migrate, with its metadata.
package struct MigrateSubject {
  package let url: URL
  package let kind: StoreKind
  package let metadata: [String: Any]
  /// The copy of the model that the store keeps; nil if there is no copy that can be read.
  package let cachedModel: NSManagedObjectModel?
  package let options: [AnyHashable: Any]
  /// How many records of objects CloudKit's mirroring has noted in the store; nil if the store is not mirrored.
  package let mirroredRecords: Int?

  /// - Parameter timeout: The number of seconds to wait for others that have the store locked.
  /// - Throws: a ``ToolError`` for a file that is not a store, or cannot be read, and for a web service.
  package init(_ url: URL, timeout: TimeInterval) throws {
    self.url = url
    kind = try StoreKind.of(url)
    if kind == .service {
      throw ToolError("\(url.shown) is a web service, whose objects are migrated where it runs, in its own store.")
    }
    options = [
      NSPersistentStoreTimeoutOption: NSNumber(value: timeout),
      // `MigrateWay.requireMirroring` decides, for the whole way.
      OCDMigrateMirroredStoreOption: NSNumber(value: true),
    ]
    guard kind.isSQLite else {
      metadata = try kind.metadata(url)
      cachedModel = try kind.keptModel(url)
      mirroredRecords = nil
      return
    }
    do {
      (metadata, cachedModel, mirroredRecords) = try Self.read(url, timeout: timeout)
    } catch {
      throw ToolError(StoreErrors.text(of: error))
    }
  }

  /// Reads the metadata, the model and the number of mirrored records of one moment. If others write the store meanwhile, as
  /// those do that migrate it, all are read again.
  private static func read(_ url: URL, timeout: TimeInterval) throws -> ([String: Any], NSManagedObjectModel?, Int?) {
    var attempts = 0
    while true {
      let store = try InspectedStore(url, timeout: timeout)
      try store.requireStore()
      let found = (store.metadata, store.cachedModel, try store.mirroredRecords())
      do {
        try store.requireUnchanged()
        return found
      } catch  where attempts < 10 {
        attempts += 1
      }
    }
  }

  /// Returns the store, or a copy of the store, as the subject of a step.
  package func store(at place: URL? = nil, _ configuration: String?) -> ProgressiveMigration.Store {
    .init(place ?? url, type: kind.type, configuration: configuration, options: options)
  }

  package var hashes: [String: Data] { metadata[NSStoreModelVersionHashesKey] as? [String: Data] ?? [:] }

  /// Returns the configuration of a model that fits the store: the whole model or a named one; nil if none fits.
  package func configuration(of model: NSManagedObjectModel) -> StoreConfiguration? {
    if model.isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata) { return .whole }
    return model.configurations.sorted().first {
      model.isConfiguration(withName: $0, compatibleWithStoreMetadata: metadata)
    }.map { .named($0) }
  }
}

/// The part of a model that a store holds.
package enum StoreConfiguration {
  case whole
  case named(String)

  package var name: String? { if case .named(let name) = self { name } else { nil } }
}
