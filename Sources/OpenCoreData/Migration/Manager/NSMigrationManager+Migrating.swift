import Foundation
import OpenCocoaFoundation

extension NSMigrationManager {
  final func migrate(from source: MigrationPlace, to destination: MigrationPlace, _ mapping: NSMappingModel) throws {
    guard run == nil else {
      raise(.internalInconsistency, "A migration manager is asked to migrate while it does.")
    }
    forgetCancellation()
    setProgress(0)
    associations.prepare(for: source.url, destination.url)
    let before = associations
    defer {
      run = nil
      setCurrent(nil)
      forgetCancellation()
    }
    do {
      for model in [sourceModel, destinationModel] { try model.prepareWithinLimits() }
      let policies = try MappingCheck(self, mapping).policies()
      var file = try MigrationDestination(destination, source: source)
      defer { file.discard() }
      let run = try MigrationRun(self, mapping, policies, from: source, to: destination, at: file.workingURL)
      do {
        defer { run.close() }
        self.run = run
        try run.migrate()
      }
      self.run = nil
      try file.install()
      setProgress(1)
    } catch {
      // The objects that this migration has made were not saved, so the associations from before are restored.
      associations = before
      throw error
    }
  }
}

/// Models whose objects are of no application class.
enum PlainModel {
  /// Returns the model itself if it names no class, otherwise a copy that names none.
  static func of(_ model: NSManagedObjectModel) -> NSManagedObjectModel {
    let plain = "NSManagedObject"
    let isPlain = model.entities.allSatisfy { [nil, plain].contains($0.managedObjectClassName) }
    guard !isPlain, let copy = model.copy() as? NSManagedObjectModel else { return model }
    for entity in copy.entities { entity.managedObjectClassName = plain }
    return copy
  }
}
