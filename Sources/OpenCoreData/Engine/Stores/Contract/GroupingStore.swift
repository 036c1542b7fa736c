import Foundation
import OpenCocoaFoundation

/// A store that can count rows by the values of an attribute, without reading them.
package protocol GroupingStore: NSPersistentStore {
  /// Calls `body` with each value of an attribute and the number of rows that have it, in the order in which the sort
  /// descriptor puts the values.
  ///
  /// It reads the same state as the read before it in the transaction.
  /// - Parameters:
  ///   - keyPath: a stored attribute of the target's entity, or one to which to-one relationships lead.
  ///   - attribute: that attribute.
  ///   - body: is given each value in the form in which the attribute's accessor returns it.
  /// - Throws: the same errors as fetches of the target.
  func countGroups(
    _ target: FetchTarget, by keyPath: String, of attribute: NSAttributeDescription, _ order: NSSortDescriptor,
    transaction: ReadTransaction, _ body: (_ value: Any?, _ count: Int) throws -> Void
  ) throws
}
