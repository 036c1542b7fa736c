import OpenCoreData

/// An object with the values of its row.
public struct StoredObject: Sendable, Equatable {
  /// A value of the object.
  public struct Attribute: Sendable, Equatable {
    /// The key path: the elements of a composite attribute have dots in theirs.
    public let keyPath: String
    /// The value.
    public let value: StoreValue
  }

  /// A relationship that leads to one object.
  public struct ToOne: Sendable, Equatable {
    /// The name of the relationship.
    public let name: String
    /// The object; nil for none.
    public let destination: ObjectReference?
  }

  /// A relationship that leads to many objects.
  public struct ToMany: Sendable, Equatable {
    /// The name of the relationship.
    public let name: String
    /// The number of the relationship's members.
    public let count: Int
    /// Whether the members have an order.
    public let isOrdered: Bool
  }

  /// The object. Its entity is the object's own, not a superentity.
  public let reference: ObjectReference
  /// The values, sorted by key path.
  public let attributes: [Attribute]
  /// The to-one relationships, sorted by name.
  public let toOnes: [ToOne]
  /// The to-many relationships, sorted by name.
  public let toManys: [ToMany]
}

/// An object that refers to another object in one of its relationships.
public struct Referrer: Sendable, Equatable {
  /// The name of the relationship.
  public let relationship: String
  /// The entity that declares the relationship.
  public let entity: String
  /// The object.
  public let object: ObjectReference
}
