import OpenCocoaFoundation

import class OpenCocoaFoundation.NSExpression

/// An attribute that the store computes from other properties when it saves.
public final class NSDerivedAttributeDescription: NSAttributeDescription, @unchecked Sendable {
  /// What the store computes: a key path, or one of `now()`, `canonical:`, `uppercase:`, `lowercase:`, `count:` and
  /// `sum:` of a key path.
  public var derivationExpression: NSExpression? { willSet { willModify() } }

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
  }

  override func hasEqualFields(_ other: NSPropertyDescription) -> Bool {
    super.hasEqualFields(other) && (other as? NSDerivedAttributeDescription)?.derivationText == derivationText
  }
}
