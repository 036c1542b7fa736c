import Foundation
import OpenCocoaFoundation

/// A store that can count rows by the values of an attribute, without reading them.
package protocol GroupingStore: NSPersistentStore {
  /// Counts the rows that have each value of an attribute, in the order in which the sort descriptor puts the values.
  ///
  /// Reads the same state of the store as the previous read in the transaction.
  /// - Parameters:
  ///   - keyPath: the key path of a stored attribute of the target's entity, or of an entity that to-one relationships lead to.
  ///   - attribute: that attribute.
  ///   - body: is called with each value, as the attribute's accessor returns it, and with the number of its rows.
  /// - Throws: the errors of fetches of the target.
  func countGroups(
    _ target: FetchTarget, by keyPath: String, of attribute: NSAttributeDescription, _ order: NSSortDescriptor,
    transaction: ReadTransaction, _ body: (_ value: Any?, _ count: Int) throws -> Void
  ) throws
}
