import Foundation
import OpenCocoaFoundation

/// A store that can count rows by the values of an attribute, without reading them.
package protocol GroupingStore: NSPersistentStore {
  /// For each value of an attribute, the number of rows that have it, in the order that the sort descriptor gives the values.
  ///
  /// Reads what the read before in the transaction has read.
  /// - Parameters:
  ///   - keyPath: of a stored attribute of the target's entity, or of one that to-one relationships lead to.
  ///   - attribute: that attribute.
  ///   - body: is given each value as the attribute's accessor gives it.
  /// - Throws: as fetches of the target.
  func countGroups(
    _ target: FetchTarget, by keyPath: String, of attribute: NSAttributeDescription, _ order: NSSortDescriptor,
    transaction: ReadTransaction, _ body: (_ value: Any?, _ count: Int) throws -> Void
  ) throws
}
