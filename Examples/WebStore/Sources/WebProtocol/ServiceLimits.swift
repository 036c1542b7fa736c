/// What a service does not exceed, and tells its clients, so that they ask for less at a time.
public struct ServiceLimits: Codable, Sendable {
  /// How many documents an answer has, and how many IDs a request.
  public var pageSize = 500
  /// How many documents come along with a page of others.
  public var included = 5000
  /// How many bytes a request has.
  public var bodySize = 8 << 20
  /// How many IDs are given out at once.
  public var ids = 100_000
  /// How many parts a predicate has: conditions, and the values in them.
  public var predicateParts = 20_000
  /// How deep the parts of a predicate are.
  public var predicateDepth = 64

  public init() {}
}
