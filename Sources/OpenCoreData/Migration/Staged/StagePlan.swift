import Foundation
internal import VersionHashing

/// The steps by which stages lead a store from its version to another.
struct StagePlan {
  enum Step {
    /// A single inferred migration from one version to a later one, which skips the versions between them.
    case lightweight(from: String, to: String)
    case custom(NSCustomMigrationStage)
  }

  let steps: [Step]

  /// Consecutive lightweight stages become one step; each custom stage is a step of its own. A store that does not yet
  /// have the version where a custom stage begins is brought there first.
  ///
  /// - Parameters:
  ///   - checksums: The checksums that may identify the store's version. The first one that a stage has is used.
  ///   - destination: The checksum of the version to migrate to.
  /// - Throws: 134504 for a version that no stage has, 134506 for a version older than the store's.
  init(_ stages: [NSMigrationStage], from checksums: [String], to destination: String) throws {
    let order = StageOrder(stages)
    guard let checksum = checksums.first(where: { order.position(of: $0) != nil }),
      let start = order.position(of: checksum)
    else { throw Self.unknown("The store's version is \(checksums.first ?? "none").", order) }
    guard let end = order.position(of: destination) else {
      throw Self.unknown("The version to migrate to is \(destination).", order)
    }
    guard start <= end else {
      throw NSError(
        coreData: NSStagedMigrationBackwardMigrationError,
        "A store file cannot be migrated backwards with staged migration. Its version is \(checksum), and the one to "
          + "migrate to is \(destination).")
    }
    var steps: [Step] = []
    var (current, position) = (checksum, start)
    for case let stage as NSCustomMigrationStage in stages {
      guard let begin = order.position(of: stage.currentModel.versionChecksum),
        let next = order.position(of: stage.nextModel.versionChecksum), begin >= position, next <= end
      else { continue }
      if begin > position { steps.append(.lightweight(from: current, to: stage.currentModel.versionChecksum)) }
      steps.append(.custom(stage))
      (current, position) = (stage.nextModel.versionChecksum, next)
    }
    if position < end { steps.append(.lightweight(from: current, to: destination)) }
    self.steps = steps
  }

  private static func unknown(_ reason: String, _ order: StageOrder) -> NSError {
    NSError(
      coreData: NSManagedObjectModelReferenceNotFoundError,
      "Cannot use staged migration with an unknown model version. \(reason) The stages have "
        + order.versions.map(\.checksum).joined(separator: ", ") + ".")
  }
}

/// The checksum of the version that a store has.
enum StoreChecksum {
  /// The checksums by which a stage may name the version of a store with this metadata: one that is computed from the
  /// version hashes of its entities, and the stored one, which is that of the whole model if the store holds only a
  /// configuration.
  static func candidates(_ metadata: [String: Any]) -> [String] {
    var result: [String] = []
    if let hashes = metadata[NSStoreModelVersionHashesKey] as? [String: Data] {
      result.append(VersionHash.checksum(of: hashes))
    }
    if let stated = metadata[NSPersistentStoreModelVersionChecksumKey] as? String { result.append(stated) }
    return result
  }
}
