import Foundation

/// An object as the service has it. `id` is the name of its own entity and its number: "Author/12".
public struct Document: Codable, Sendable {
  public var id: String
  public var version: Int64
  public var values: [String: JSON]
  /// The objects that to-one relationships lead to; null for none.
  public var one: [String: String?]
  /// The members of to-many relationships, as far as they were asked for.
  public var many: [String: [String]]?

  public init(id: String, version: Int64) { (self.id, self.version, values, one) = (id, version, [:], [:]) }
}

/// GET /store
public struct StoreAnswer: Codable, Sendable {
  public var identifier: String
  /// The version hashes of the model's entities, in Base64.
  public var hashes: [String: String]
  public var limits: ServiceLimits
  /// A text that differs between two states of the objects; a service that was started anew has another one, too. What it is made
  /// of is the service's affair.
  public var state: String?

  public init(identifier: String, hashes: [String: String], limits: ServiceLimits, state: String?) {
    (self.identifier, self.hashes, self.limits, self.state) = (identifier, hashes, limits, state)
  }
}

/// The answer to a query, or a page of it: GET /pages/NEXT has the page after this one.
public struct QueryAnswer: Codable, Sendable {
  public var documents: [Document]?
  public var included: [Document]?
  public var ids: [String]?
  public var count: Int?
  public var next: String?

  public init() {}
}

/// POST /objects
public struct ObjectsMessage: Codable, Sendable {
  public var ids: [String]

  public init(ids: [String]) { self.ids = ids }
}

public struct ObjectsAnswer: Codable, Sendable {
  public var documents: [Document]
  public var gone: [String]

  public init(documents: [Document], gone: [String]) { (self.documents, self.gone) = (documents, gone) }
}

/// GET /objects/ENTITY/NUMBER/RELATIONSHIP
public struct MembersAnswer: Codable, Sendable {
  public var members: [String]
  /// The members themselves, up to the size of a page.
  public var documents: [Document]

  public init(members: [String], documents: [Document]) { (self.members, self.documents) = (members, documents) }
}

/// POST /ids
public struct IDsMessage: Codable, Sendable {
  /// How many IDs are wanted, by entity.
  public var counts: [String: Int]

  public init(counts: [String: Int]) { self.counts = counts }
}

public struct IDsAnswer: Codable, Sendable {
  public var ids: [String: [String]]

  public init(ids: [String: [String]]) { self.ids = ids }
}

public struct SaveAnswer: Codable, Sendable {
  /// The versions of the objects that were inserted and updated.
  public var versions: [String: Int64]

  public init(versions: [String: Int64]) { self.versions = versions }
}

/// The body of an answer that is no success.
public struct Failure: Codable, Error, Sendable {
  public struct Invalid: Codable, Sendable {
    public var id: String?
    public var key: String?
    public var code: Int
    public var message: String

    public init(id: String?, key: String?, code: Int, message: String) {
      (self.id, self.key, self.code, self.message) = (id, key, code, message)
    }
  }

  public var message: String
  /// The code in the domain of Cocoa, where there is one.
  public var code: Int?
  /// What is there in place of what a save expected.
  public var conflicts: [Document]?
  /// What is not there any more.
  public var gone: [String]?
  public var invalid: [Invalid]?

  public init(_ message: String, code: Int? = nil) { (self.message, self.code) = (message, code) }
}
