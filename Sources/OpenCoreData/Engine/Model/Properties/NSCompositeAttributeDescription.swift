import Foundation

/// An attribute made of other attributes, which may themselves be composite. Each leaf is stored by itself.
public final class NSCompositeAttributeDescription: NSAttributeDescription, @unchecked Sendable {
  /// Makes a composite attribute without elements.
  public override init() {
    super.init()
    attributeType = .compositeAttributeType
  }

  /// Decodes a composite attribute. Returns nil, with an error of the coder, if the archive holds none.
  public required init?(coder: NSCoder) { super.init(coder: coder) }

  /// The largest number of attributes that a composite in a file may contain, far above the numbers in use. The limit
  /// is needed because the number of attributes grows exponentially with the depth of nested composites.
  static let mostElements = 500

  /// The attributes that make up the value.
  public var elements: [NSAttributeDescription] = [] { willSet { willModify() } }

  /// The elements that are not composite themselves, with the names that lead to each, depth first.
  var leaves: [(path: [String], attribute: NSAttributeDescription)] {
    elements.flatMap { element -> [(path: [String], attribute: NSAttributeDescription)] in
      guard let composite = element as? NSCompositeAttributeDescription else { return [([element.name], element)] }
      return composite.leaves.map { ([composite.name] + $0.path, $0.attribute) }
    }
  }

  override func detachedCopy() -> NSPropertyDescription {
    let copy = NSCompositeAttributeDescription()
    copyFields(to: copy)
    return copy
  }

  override func copyFields(to copy: NSPropertyDescription) {
    super.copyFields(to: copy)
    (copy as? NSCompositeAttributeDescription)?.elements = elements.compactMap {
      $0.detachedCopy() as? NSAttributeDescription
    }
  }

  override func hasEqualFields(_ other: NSPropertyDescription) -> Bool {
    super.hasEqualFields(other) && (other as? NSCompositeAttributeDescription)?.elements == elements
  }
}
