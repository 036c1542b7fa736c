import Foundation

/// POST /query
public struct QueryMessage: Codable, Sendable {
  public enum Answer: String, Codable, Sendable { case documents, ids, count }
  public struct Order: Codable, Sendable {
    public var key: String
    public var ascending: Bool
    /// A selector of NSString, as "localizedStandardCompare:"; nil for the order of values.
    public var selector: String?
  }

  public var entity: String
  public var subentities = true
  /// A predicate as `PredicateCoding` writes it; nil for all objects.
  public var predicate: JSON?
  public var sort: [Order]?
  public var limit: Int?
  public var offset: Int?
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
