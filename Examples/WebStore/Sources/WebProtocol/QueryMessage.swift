import Foundation

/// The body of POST /query: a fetch.
public struct QueryMessage: Codable, Sendable {
  /// What is wanted of the objects that are found.
  public enum Answer: String, Codable, Sendable { case documents, ids, count }
  /// A sort descriptor.
  public struct Order: Codable, Sendable {
    /// The key path of an attribute.
    public var key: String
    /// Whether the least value comes first.
    public var ascending: Bool
    /// A selector of NSString, as "localizedStandardCompare:"; nil for the order of values.
    public var selector: String?
  }

  /// The name of the entity.
  public var entity: String
  /// Whether objects of its subentities are found, too.
  public var subentities = true
  /// A predicate as `PredicateCoding` writes it; nil for all objects.
  public var predicate: JSON?
  /// The order of the result, the first counts most; nil for any order.
  public var sort: [Order]?
  /// How many objects are found at most; nil for all.
  public var limit: Int?
  /// How many objects are passed over first; nil for none.
  public var offset: Int?
  /// What is wanted.
  public var answer = Answer.documents
  /// Key paths of relationships whose members come along.
  public var include: [String]?

  public init(entity: String) { self.entity = entity }

  /// What a client leaves out has the value that it has here.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    entity = try values.decode(String.self, forKey: .entity)
    subentities = try values.decodeIfPresent(Bool.self, forKey: .subentities) ?? true
    predicate = try values.decodeIfPresent(JSON.self, forKey: .predicate)
    sort = try values.decodeIfPresent([Order].self, forKey: .sort)
    limit = try values.decodeIfPresent(Int.self, forKey: .limit)
    offset = try values.decodeIfPresent(Int.self, forKey: .offset)
    answer = try values.decodeIfPresent(Answer.self, forKey: .answer) ?? .documents
    include = try values.decodeIfPresent([String].self, forKey: .include)
  }
}
