import OpenCoreData

/// An object of a store, named as in the path of its URI: `Person/p1`.
public struct ObjectReference: Hashable, Sendable, LosslessStringConvertible {
  /// The name of the entity.
  public let entity: String
  /// The object's key in its table.
  public let key: Int64

  /// Creates a reference to the object with a key.
  public init(entity: String, key: Int64) {
    self.entity = entity
    self.key = key
  }

  /// Parses a text such as `Person/p1`; nil for any other text.
  public init?(_ description: String) {
    guard let reference = InspectedReference(description) else { return nil }
    self.init(reference)
  }

  /// The form that is used in the path of the object's URI: `Person/p1`.
  public var description: String { "\(entity)/p\(key)" }

  package init(_ reference: InspectedReference) { self.init(entity: reference.entity, key: reference.key) }

  package var inspected: InspectedReference { InspectedReference(entity: entity, key: key) }
}
