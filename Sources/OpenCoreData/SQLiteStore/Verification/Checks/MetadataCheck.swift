import Foundation
internal import VersionHashing

/// Checks that Z_METADATA and Z_MODELCACHE can be read, and that they belong to the same model.
struct MetadataCheck: StoreCheck {
  let title = "metadata"

  func run(on store: InspectedStore, _ report: (StoreProblem) -> Void) throws {
    guard store.hasTable("Z_METADATA") else {
      return report(StoreProblem(.metadata, at: "Z_METADATA", "the table is missing"))
    }
    guard let metadata = store.storedMetadata else {
      return report(StoreProblem(.metadata, at: "Z_METADATA", store.metadataProblem ?? "there is no row"))
    }
    let rows = try store.connection.integer("SELECT COUNT(*) FROM Z_METADATA") ?? 0
    if rows != 1 { report(StoreProblem(.metadata, at: "Z_METADATA", "there are \(rows) rows where one is expected")) }
    if UUID(uuidString: metadata.identifier) == nil {
      report(StoreProblem(.metadata, at: "Z_METADATA", "Z_UUID “\(metadata.identifier)” is no UUID"))
    }
    if let type = metadata.properties[NSStoreTypeKey] as? String, type != NSSQLiteStoreType {
      report(StoreProblem(.metadata, at: "Z_METADATA", "\(NSStoreTypeKey) is “\(type)”, not “\(NSSQLiteStoreType)”"))
    }
    guard let hashes = metadata.properties[NSStoreModelVersionHashesKey] as? [String: Data] else {
      return report(StoreProblem(.metadata, at: "Z_METADATA", "\(NSStoreModelVersionHashesKey) is missing"))
    }
    checkDigest(metadata, hashes, store, report)
    if let reason = store.cacheProblem { report(StoreProblem(.modelCache, at: "Z_MODELCACHE", reason)) }
    if let model = store.cachedModel {
      compare(model, hashes, .modelCache, at: "Z_MODELCACHE", "the copy of the model", report)
    }
    if let model = store.model, model !== store.cachedModel {
      compare(model, hashes, .modelMismatch, at: "model", "the given model", report)
    }
  }

  /// Compares the version hashes of a model with those of the metadata. The store may hold only a configuration of the model,
  /// so the model may have more entities.
  private func compare(
    _ model: NSManagedObjectModel, _ hashes: [String: Data], _ kind: StoreProblem.Kind, at place: String,
    _ name: String, _ report: (StoreProblem) -> Void
  ) {
    let computed = model.entityVersionHashesByName
    let different = hashes.filter { computed[$0.key] != nil && computed[$0.key] != $0.value }.keys.sorted()
    let missing = hashes.keys.filter { computed[$0] == nil }.sorted()
    if !different.isEmpty {
      report(
        StoreProblem(
          kind, at: place, "\(name) has other versions of entities than the metadata state", count: different.count,
          examples: Array(different.prefix(InspectedStore.exampleLimit))))
    }
    if !missing.isEmpty {
      report(
        StoreProblem(
          kind, at: place, "\(name) lacks entities that the metadata state", count: missing.count,
          examples: Array(missing.prefix(InspectedStore.exampleLimit))))
    }
  }

  /// Checks the digest of the version hashes. It is the digest of all hashes in the metadata. In a store of one configuration
  /// that an earlier version of this library has made, it is the digest of the whole model.
  private func checkDigest(
    _ metadata: StoreMetadata, _ hashes: [String: Data], _ store: InspectedStore, _ report: (StoreProblem) -> Void
  ) {
    guard let stated = metadata.properties["NSStoreModelVersionHashesDigest"] as? String,
      stated != VersionHash.digest(of: hashes), stated != store.model?.versionHashesDigest
    else { return }
    report(StoreProblem(.versionDigest, at: "Z_METADATA", "the digest is not that of the version hashes beside it"))
  }
}
