import Foundation
import OpenCocoaFoundation

import class OpenCocoaFoundation.NSExpression

/// An attribute that the store computes from other properties when it saves.
///
/// Objects show the new value after the save; a value that is set by hand does not last. The store also updates the
/// attribute when saves and batch updates change the rows that it is computed from through relationships. SQLite stores
/// compute `now()`, copies and `canonical:`, `uppercase:`, `lowercase:` of an attribute of the same row, an attribute
/// at the end of to-one relationships, `count:` of a to-many relationship and `sum:` of an attribute of its members.
///
/// Differs from Apple (D-SQL-02): an attribute with another derivation is nil; `coredata model check` reports it.
public final class NSDerivedAttributeDescription: NSAttributeDescription, @unchecked Sendable {
  /// The expression that the store computes: a key path, or one of `now()`, `canonical:`, `uppercase:`, `lowercase:`,
  /// `count:` and `sum:` of a key path.
  public var derivationExpression: NSExpression? { willSet { willModify() } }

  /// The filter for the members that are counted or summed, in an archived model. No sample shows how it affects hashes
  /// and triggers. If it needs more than the member's row and SQLite's own functions, the attribute is nil.
  var filteringPredicate: NSPredicate? { willSet { willModify() } }

  /// The derivation as text, e.g. `canonical:(name)`, `now()` or `count:(pages)`. It enters the version hash.
  package var derivationText: String? { derivationExpression.map(DerivationText.text) }

  override func detachedCopy() -> NSPropertyDescription {
    let copy = NSDerivedAttributeDescription()
    copyFields(to: copy)
    return copy
  }

  override func copyFields(to copy: NSPropertyDescription) {
    super.copyFields(to: copy)
    (copy as? NSDerivedAttributeDescription)?.derivationExpression = derivationExpression
    (copy as? NSDerivedAttributeDescription)?.filteringPredicate = filteringPredicate
  }

  override func hasEqualFields(_ other: NSPropertyDescription) -> Bool {
    guard super.hasEqualFields(other), let other = other as? NSDerivedAttributeDescription else { return false }
    return derivationText == other.derivationText && filteringPredicate == other.filteringPredicate
  }
}
