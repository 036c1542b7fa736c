import Foundation
import OpenCocoaFoundation

import class OpenCocoaFoundation.NSExpression

/// An attribute that the store computes from other properties when it saves.
public final class NSDerivedAttributeDescription: NSAttributeDescription, @unchecked Sendable {
  /// What the store computes: a key path, or one of `now()`, `canonical:`, `uppercase:`, `lowercase:`, `count:` and
  /// `sum:` of a key path.
  public var derivationExpression: NSExpression? { willSet { willModify() } }

  /// Which objects count, in an archived model; no sample shows what it does to hashes and triggers.
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
