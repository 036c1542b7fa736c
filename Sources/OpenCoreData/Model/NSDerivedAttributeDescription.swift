/// An attribute that the store computes from other properties when it saves.
public final class NSDerivedAttributeDescription: NSAttributeDescription, @unchecked Sendable {
  /// The text of the derivation as an expression states it, e.g. `canonical:(name)`, `now()` or `count:(pages)`.
  var derivationText: String? { willSet { willModify() } }

  override func detachedCopy() -> NSPropertyDescription {
    let copy = NSDerivedAttributeDescription()
    copyFields(to: copy)
    return copy
  }

  override func copyFields(to copy: NSPropertyDescription) {
    super.copyFields(to: copy)
    (copy as? NSDerivedAttributeDescription)?.derivationText = derivationText
  }

  override func hasEqualFields(_ other: NSPropertyDescription) -> Bool {
    super.hasEqualFields(other) && (other as? NSDerivedAttributeDescription)?.derivationText == derivationText
  }
}
