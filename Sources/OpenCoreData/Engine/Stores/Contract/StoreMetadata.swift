import Foundation
import OpenCocoaFoundation
internal import VersionHashing

/// A store's metadata: its identifier, and properties such as the version hashes of the model that wrote the store.
package struct StoreMetadata {
  package var identifier: String
  /// The metadata as a property list, without the UUID.
  package var properties: [String: Any]

  /// The framework version that this framework gives in metadata, in Apple's numbering: that of the format of 2024.
  package static let frameworkVersion = 1414

  /// Makes the metadata of a new store of `model`.
  package init(model: NSManagedObjectModel, entities: [NSEntityDescription]) {
    identifier = UUID().uuidString
    properties = ["_NSAutoVacuumLevel": "2", NSStoreTypeKey: NSSQLiteStoreType]
    describe(model, entities: entities)
  }

  package init(identifier: String, properties: [String: Any]) {
    self.identifier = identifier
    self.properties = properties
  }

  /// Describes in the metadata which model the store has.
  package mutating func describe(_ model: NSManagedObjectModel, entities: [NSEntityDescription]) {
    let hashes = Self.hashes(of: entities)
    properties[NSStoreModelVersionHashesKey] = hashes
    properties["NSStoreModelVersionHashesVersion"] = 3
    properties["NSStoreModelVersionHashesDigest"] = VersionHash.digest(of: hashes)
    properties[NSPersistentStoreModelVersionChecksumKey] = model.versionChecksum
    let identifiers = model.versionIdentifiers.compactMap { $0 as? String }.sorted()
    properties[NSStoreModelVersionIdentifiersKey] = identifiers.isEmpty ? [""] : identifiers
    properties["NSPersistenceFrameworkVersion"] = Self.frameworkVersion
  }

  package static func hashes(of entities: [NSEntityDescription]) -> [String: Data] {
    Dictionary(entities.map { ($0.name ?? "", $0.versionHash) }, uniquingKeysWith: { $1 })
  }

  /// The metadata as `NSPersistentStore.metadata` shows them.
  package var dictionary: [String: Any] { properties.merging([NSStoreUUIDKey: identifier]) { $1 } }

  /// Returns the names of entities whose version hashes differ, or that only one side has; sorted.
  package func differences(from entities: [NSEntityDescription]) -> [String] {
    let stored = properties[NSStoreModelVersionHashesKey] as? [String: Data] ?? [:]
    let wanted = Self.hashes(of: entities)
    return Set(stored.keys).union(wanted.keys).filter { stored[$0] != wanted[$0] }.sorted()
  }
}

/// The version of Core Data whose file format new stores have; the metadata of these stores contain it, too.
public let NSCoreDataVersionNumber = Double(StoreMetadata.frameworkVersion)
