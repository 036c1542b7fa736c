import Foundation

/// The body of POST /save, which is carried out as a whole or not at all.
public struct SaveMessage: Codable, Sendable {
  /// A change of a to-many relationship.
  public struct Members: Codable, Sendable {
    /// All members in their order, of an ordered relationship.
    public var all: [String]?
    /// The IDs that come to a relationship without order.
    public var added: [String]?
    /// The IDs that leave a relationship without order.
    public var removed: [String]?

    public init() {}
  }

  /// An object of a save.
  public struct Change: Codable, Sendable {
    /// The object's permanent ID, also of a new object.
    public var id: String
    /// The version that the change was made to; nil for a new object.
    public var version: Int64?
    /// The changed values of attributes; null for none.
    public var values: [String: JSON]?
    /// What changed to-one relationships lead to; null for nothing.
    public var one: [String: String?]?
    /// Changed to-many relationships.
    public var many: [String: Members]?

    public init(id: String, version: Int64?) { (self.id, self.version) = (id, version) }
  }

  /// Names the request: sent again, it is answered again and not carried out again.
  public var request: String
  /// New objects, under IDs that the service has given out.
  public var inserted: [Change] = []
  /// Objects that are changed; a version other than the service's is a conflict.
  public var updated: [Change] = []
  /// Objects that are deleted; a version other than the service's is a conflict.
  public var deleted: [Change] = []
  /// Objects that are not written, but must not have been changed.
  public var locked: [Change] = []

  public init(request: String) { self.request = request }

  /// What a client leaves out is empty.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    request = try values.decode(String.self, forKey: .request)
    inserted = try values.decodeIfPresent([Change].self, forKey: .inserted) ?? []
    updated = try values.decodeIfPresent([Change].self, forKey: .updated) ?? []
    deleted = try values.decodeIfPresent([Change].self, forKey: .deleted) ?? []
    locked = try values.decodeIfPresent([Change].self, forKey: .locked) ?? []
  }
}
