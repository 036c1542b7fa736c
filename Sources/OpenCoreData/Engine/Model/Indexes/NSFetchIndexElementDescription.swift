import Foundation

/// The kind of index that an element of a fetch index asks for.
public enum NSFetchIndexElementType: UInt, Sendable {
  /// An ordinary index, sorted by value.
  case binary = 0
  /// An index of ranges, for numbers. The model keeps this kind, but stores make no such index (D-SQL-07).
  case rTree = 1
}

/// One property of a fetch index, with its kind and direction.
///
/// `@unchecked Sendable` for the same reason as `NSPropertyDescription`.
open class NSFetchIndexElementDescription: NSObject, NSCopying, NSSecureCoding, ModelPart, @unchecked Sendable {
  final var isFrozen = false
  final weak var owner: NSFetchIndexDescription?
  final var storedProperty: NSPropertyDescription?

  /// Makes an element for a property, ascending.
  public init(property: NSPropertyDescription, collationType: NSFetchIndexElementType) {
    storedProperty = property
    self.collationType = collationType
  }

  /// Decodes an element with its property, which belongs to no entity.
  ///
  /// Returns nil, with an error of the coder (4864), if the archive holds no element.
  public required init?(coder: NSCoder) {
    collationType = .binary
    super.init()
    guard DescriptionCoder.decode(self, coder) else { return nil }
  }

  /// True: elements are archived securely.
  public class var supportsSecureCoding: Bool { true }

  /// Archives the element and its property.
  public func encode(with coder: NSCoder) { DescriptionCoder.encode(self, coder) }

  /// The property that is indexed, or an `NSExpressionDescription` that computes a value from other properties.
  public final var property: NSPropertyDescription? { storedProperty }

  /// The name of the property that is indexed.
  public final var propertyName: String? { storedProperty?.name }

  /// The kind of index. Stores make `binary` only.
  public final var collationType: NSFetchIndexElementType { willSet { willModify() } }

  /// Whether the index is sorted upwards. True by default.
  public final var isAscending = true { willSet { willModify() } }

  /// The index that the element belongs to. Not retained.
  public final var indexDescription: NSFetchIndexDescription? { owner }

  /// Returns a copy of the element that belongs to no index.
  public final func copy(with zone: NSZone? = nil) -> Any { detachedCopy(property: storedProperty) }

  /// Copies the element with another property, such as the copy of its property in a copied entity.
  final func detachedCopy(property: NSPropertyDescription?) -> NSFetchIndexElementDescription {
    // An expression description belongs to no entity, so that no copy of an entity includes it.
    let property = property is NSExpressionDescription ? property?.detachedCopy() : property
    let copy = NSFetchIndexElementDescription(
      property: property ?? NSPropertyDescription(), collationType: collationType)
    copy.isAscending = isAscending
    return copy
  }

  /// Compares property name, kind and direction, and expressions.
  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? NSFetchIndexElementDescription else { return false }
    return propertyName == other.propertyName && collationType == other.collationType
      && isAscending == other.isAscending && expression == other.expression
  }

  private final var expression: NSExpressionDescription? { storedProperty as? NSExpressionDescription }

  /// The hash of the property's name.
  open override var hash: Int { propertyName.hashValue }
}
