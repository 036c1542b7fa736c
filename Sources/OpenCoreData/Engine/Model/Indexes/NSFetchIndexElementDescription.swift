import Foundation

/// The kind of index that an element of a fetch index asks for.
public enum NSFetchIndexElementType: UInt, Sendable {
  /// An ordinary index, sorted by value.
  case binary = 0
  /// An index of ranges, for numbers. It is kept with the model, and not made in stores (D-SQL-07).
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
  /// Nil, with an error of the coder (4864), for an archive that holds none.
  public required init?(coder: NSCoder) {
    collationType = .binary
    super.init()
    guard DescriptionCoder.decode(self, coder) else { return nil }
  }

  /// True: elements are archived securely.
  public class var supportsSecureCoding: Bool { true }

  /// Archives the element and its property.
  public func encode(with coder: NSCoder) { DescriptionCoder.encode(self, coder) }

  /// The indexed property, or an `NSExpressionDescription` for a value that is computed from properties.
  public final var property: NSPropertyDescription? { storedProperty }

  /// The name of the property that is indexed.
  public final var propertyName: String? { storedProperty?.name }

  /// The kind of index; `binary` is the one that stores make.
  public final var collationType: NSFetchIndexElementType { willSet { willModify() } }

  /// Whether the index is sorted upwards. True by default.
  public final var isAscending = true { willSet { willModify() } }

  /// The index that the element belongs to. Not retained.
  public final var indexDescription: NSFetchIndexDescription? { owner }

  /// An element of the same contents that belongs to no index.
  public final func copy(with zone: NSZone? = nil) -> Any { detachedCopy(property: storedProperty) }

  /// Copies the element for a property of another entity, or copy of one.
  final func detachedCopy(property: NSPropertyDescription?) -> NSFetchIndexElementDescription {
    // An expression belongs to no entity that would copy it.
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
