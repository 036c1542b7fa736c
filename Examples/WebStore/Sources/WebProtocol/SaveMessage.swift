import Foundation

/// POST /save: everything or nothing.
public struct SaveMessage: Codable, Sendable {
  public struct Members: Codable, Sendable {
    /// All members in their order, of an ordered relationship.
    public var all: [String]?
    public var added: [String]?
    public var removed: [String]?

    public init() {}
  }

  public struct Change: Codable, Sendable {
    public var id: String
    /// The version that the change was made to; nil for a new object.
    public var version: Int64?
    public var values: [String: JSON]?
    public var one: [String: String?]?
    public var many: [String: Members]?

    public init(id: String, version: Int64?) { (self.id, self.version) = (id, version) }
  }

  /// Names the request: sent again, it is answered again and not carried out again.
  public var request: String
  public var inserted: [Change] = []
  public var updated: [Change] = []
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
