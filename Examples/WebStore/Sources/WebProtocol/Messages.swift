import Foundation

/// An object as the service has it.
public struct Document: Codable, Sendable {
  /// The name of the object's own entity and its number: "Author/12".
  public var id: String
  /// How often the object was saved; a save that was made to another version is a conflict.
  public var version: Int64
  /// The values of attributes, by name, as `AttributeCoding` writes them.
  public var values: [String: JSON]
  /// The objects that to-one relationships lead to; null for none.
  public var one: [String: String?]
  /// The members of to-many relationships, as far as they were asked for.
  public var many: [String: [String]]?

  /// Makes a document without values.
  public init(id: String, version: Int64) { (self.id, self.version, values, one) = (id, version, [:], [:]) }
}

/// The answer to GET /store: what the service has.
public struct StoreAnswer: Codable, Sendable {
  /// The store's UUID, which stays for as long as the store.
  public var identifier: String
  /// The version hashes of the model's entities, in Base64.
  public var hashes: [String: String]
  /// How much the service takes at once.
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
  /// The objects of the result in their order, where documents were asked for.
  public var documents: [Document]?
  /// The objects that the relationships of `include` lead to.
  public var included: [Document]?
  /// The IDs of the result in their order, where IDs were asked for.
  public var ids: [String]?
  /// The number of objects, where it was asked for.
  public var count: Int?
  /// The name of the next page; nil at the end.
  public var next: String?

  /// Makes an answer without results, of which one kind is then set.
  public init() {}
}

/// The body of POST /objects: the IDs of objects that are wanted.
public struct ObjectsMessage: Codable, Sendable {
  /// The IDs, in any order.
  public var ids: [String]

  public init(ids: [String]) { self.ids = ids }
}

/// The answer to POST /objects.
public struct ObjectsAnswer: Codable, Sendable {
  /// The objects that there are, in any order.
  public var documents: [Document]
  /// The IDs of which there is no object.
  public var gone: [String]

  public init(documents: [Document], gone: [String]) { (self.documents, self.gone) = (documents, gone) }
}

/// The answer to GET /objects/ENTITY/NUMBER/RELATIONSHIP.
public struct MembersAnswer: Codable, Sendable {
  /// The IDs of all members, in their order where the relationship has one.
  public var members: [String]
  /// The members themselves, up to the size of a page.
  public var documents: [Document]

  public init(members: [String], documents: [Document]) { (self.members, self.documents) = (members, documents) }
}

/// The body of POST /ids: permanent IDs are wanted for objects that will be inserted.
public struct IDsMessage: Codable, Sendable {
  /// How many IDs are wanted, by entity.
  public var counts: [String: Int]

  public init(counts: [String: Int]) { self.counts = counts }
}

/// The answer to POST /ids.
public struct IDsAnswer: Codable, Sendable {
  /// As many IDs as were asked for, by entity. The service gives none of them out again.
  public var ids: [String: [String]]

  public init(ids: [String: [String]]) { self.ids = ids }
}

/// The answer to a save that was carried out: POST /save, and GET /saves/NAME.
public struct SaveAnswer: Codable, Sendable {
  /// The versions of the objects that were inserted and updated, by ID.
  public var versions: [String: Int64]

  public init(versions: [String: Int64]) { self.versions = versions }
}

/// The body of an answer that is no success.
public struct Failure: Codable, Error, Sendable {
  /// A rule of the model that an object of a save breaks.
  public struct Invalid: Codable, Sendable {
    /// The object's ID, where it is known.
    public var id: String?
    /// The property, where the rule is one of a property.
    public var key: String?
    /// The validation error's code in the domain of Cocoa.
    public var code: Int
    /// The error's text.
    public var message: String

    public init(id: String?, key: String?, code: Int, message: String) {
      (self.id, self.key, self.code, self.message) = (id, key, code, message)
    }
  }

  /// What is wrong, for people.
  public var message: String
  /// The code in the domain of Cocoa, where there is one.
  public var code: Int?
  /// The objects of which the service has another version than the save was made to, or that are to be inserted and are there.
  public var conflicts: [Document]?
  /// The ID of each object that is not there, or the name of a save that was not carried out.
  public var gone: [String]?
  /// The rules that the objects of a save break.
  public var invalid: [Invalid]?

  public init(_ message: String, code: Int? = nil) { (self.message, self.code) = (message, code) }
}
