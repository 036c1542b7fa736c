import Foundation

/// An index that a store keeps to answer fetch requests faster.
///
/// `@unchecked Sendable` for the same reason as `NSPropertyDescription`.
open class NSFetchIndexDescription: NSObject, NSCopying, NSSecureCoding, ModelPart, @unchecked Sendable {
  final var isFrozen = false
  @WeaklyReferring final var owner: NSEntityDescription?
  /// The model of the entity and properties that the index refers to, if the index was decoded on its own.
  final var decodedModel: NSManagedObjectModel?

  /// Makes an index. Its name is unique in its entity, and is part of the index's name in the store. The order of the
  /// elements is the order of the columns: a look-up uses the first element first.
  public init(name: String, elements: [NSFetchIndexElementDescription]?) {
    self.name = name
    self.elements = elements ?? []
    super.init()
    for element in self.elements { element.owner = self }
  }

  /// Decodes an index. Its entity belongs to a model that the index retains.
  ///
  /// Returns nil, with an error of the coder (4864), if the archive holds no index.
  public required init?(coder: NSCoder) {
    name = ""
    elements = []
    super.init()
    guard DescriptionCoder.decode(self, coder) else { return nil }
  }

  /// True: indexes are archived securely.
  public class var supportsSecureCoding: Bool { true }

  /// Archives the index, its entity and everything that the entity refers to. A predicate with a block, which cannot be
  /// archived, stops the program.
  public func encode(with coder: NSCoder) { DescriptionCoder.encode(self, coder) }

  /// The name of the index.
  public final var name: String { willSet { willModify() } }

  /// The properties that are indexed, most significant first.
  public final var elements: [NSFetchIndexElementDescription] {
    willSet { willModify() }
    didSet { for element in elements { element.owner = self } }
  }

  /// The condition that a row must meet to be in the index, or nil for all rows.
  public final var partialIndexPredicate: NSPredicate? { willSet { willModify() } }

  /// The entity that the index belongs to. Not retained.
  public final var entity: NSEntityDescription? { owner }

  /// Returns a copy of the index that belongs to no entity.
  public final func copy(with zone: NSZone? = nil) -> Any { detachedCopy { $0 } }

  /// Copies the index, with each property replaced by the result of `property`.
  final func detachedCopy(
    replacing property: (NSPropertyDescription) -> NSPropertyDescription
  ) -> NSFetchIndexDescription {
    let copy = NSFetchIndexDescription(
      name: name, elements: elements.map { $0.detachedCopy(property: $0.storedProperty.map(property)) })
    copy.partialIndexPredicate = partialIndexPredicate
    return copy
  }

  /// Compares name, elements and condition.
  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? NSFetchIndexDescription else { return false }
    return name == other.name && elements == other.elements && partialIndexPredicate == other.partialIndexPredicate
  }

  /// The hash of the name.
  open override var hash: Int { name.hashValue }
}
