import Foundation
import Synchronization

extension NSManagedObjectModel {
  /// Freezes the model and computes the layouts of its entities, as ``prepare()`` does.
  /// - Throws: 134020 if an entity has more properties than its objects can be laid out with.
  package final func prepareWithinLimits() throws {
    if !isPrepared.load(ordering: .acquiring) { try ModelLimits.check(self) }
    prepare()
  }
}
