/// A query for objects of a store: which objects, in which order, and which values of each.
public struct ObjectQuery: Sendable, Equatable {
  /// A key path to sort by.
  public struct Sort: Sendable, Equatable {
    /// The key path.
    public var keyPath: String
    /// Whether the smallest value comes first.
    public var ascending: Bool

    /// Creates a key path to sort by.
    public init(_ keyPath: String, ascending: Bool = true) {
      (self.keyPath, self.ascending) = (keyPath, ascending)
    }
  }

  /// The name of the entity.
  public var entity: String
  /// The predicate as a user types it: dates, UUIDs and objects are texts, as in `date >= "2024-05-10"` and
  /// `self == "Person/p1"`. Nil, or only white space, for all objects.
  public var predicate: String?
  /// The key paths by which the objects are sorted, the most significant first. Without any, the objects come in the order of
  /// their keys.
  public var sort: [Sort]
  /// The key paths whose values are wanted, such as `name`, `owner.name` and `tags.@count`.
  public var columns: [String]
  /// The largest number of objects; 0 for all.
  public var limit: Int
  /// The number of objects that are left out at the beginning.
  public var offset: Int
  /// Whether objects of entities that inherit from the entity are wanted, too.
  public var includesSubentities: Bool

  /// Creates a query for objects of an entity.
  public init(
    entity: String, predicate: String? = nil, sort: [Sort] = [], columns: [String] = [], limit: Int = 0,
    offset: Int = 0, includesSubentities: Bool = true
  ) {
    (self.entity, self.predicate, self.sort, self.columns) = (entity, predicate, sort, columns)
    (self.limit, self.offset, self.includesSubentities) = (limit, offset, includesSubentities)
  }
}
