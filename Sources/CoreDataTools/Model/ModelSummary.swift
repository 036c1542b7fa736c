/// The contents of a model, with the keys of the JSON of `coredata model show`.
///
/// Settings that a model does not have are left out.
public struct ModelSummary: Encodable, Sendable {
  /// An entity, with the properties that it declares itself.
  public struct Entity: Encodable, Sendable {
    /// The entity's name.
    public var name: String
    /// The class of the entity's objects.
    public var className: String?
    /// The entity that this entity inherits from.
    public var superentity: String?
    /// Whether the entity is abstract, so that it has no objects of its own.
    public var isAbstract: Bool
    /// The former name, if the model has a renaming identifier.
    public var renamingIdentifier: String?
    /// The version hash modifier, if there is one.
    public var versionHashModifier: String?
    /// The entity's own attributes, sorted by name.
    public var attributes: [Attribute]
    /// The entity's own relationships, sorted by name.
    public var relationships: [Relationship]
    /// The entity's own fetched properties, sorted by name.
    public var fetchedProperties: [FetchedProperty]
    /// The entity's indexes.
    public var indexes: [Index]
    /// The properties that are unique together.
    public var uniquenessConstraints: [[String]]
    /// The properties that are indexed together, in models from the time before index descriptions.
    public var compoundIndexes: [[String]]
    /// The user info as texts.
    public var userInfo: [String: String]
  }

  /// An attribute.
  public struct Attribute: Encodable, Sendable {
    /// The attribute's name.
    public var name: String
    /// The attribute's type.
    public var type: String
    /// Whether the attribute may be nil.
    public var isOptional: Bool
    /// Whether the attribute is not stored.
    public var isTransient: Bool
    /// The value that new objects have, as text.
    public var defaultValue: String?
    /// The constraints on its values, in words.
    public var constraints: [String]
    /// The expression from which the value is derived.
    public var derivation: String?
    /// The elements of a composite attribute, in words.
    public var elements: String?
    /// The class of the values, if it does not follow from the type.
    public var valueClass: String?
    /// The value transformer of a transformable attribute.
    public var transformer: String?
    /// Whether the attribute has an index of its own.
    public var isIndexed: Bool
    /// Whether large values are stored in files of their own.
    public var usesExternalStorage: Bool
    /// Whether generated classes use a scalar type.
    public var usesScalar: Bool
    /// The former name, if the model has a renaming identifier.
    public var renamingIdentifier: String?
    /// The version hash modifier, if there is one.
    public var versionHashModifier: String?
    /// The user info as texts.
    public var userInfo: [String: String]
  }

  /// A relationship.
  public struct Relationship: Encodable, Sendable {
    /// The relationship's name.
    public var name: String
    /// The entity that the relationship leads to.
    public var destination: String?
    /// The inverse relationship; nil for a relationship without inverse.
    public var inverse: String?
    /// Whether the relationship is to-many.
    public var isToMany: Bool
    /// Whether the objects have an order.
    public var isOrdered: Bool
    /// Whether the relationship may be empty.
    public var isOptional: Bool
    /// Whether the relationship is not stored.
    public var isTransient: Bool
    /// The smallest number of objects.
    public var minCount: Int
    /// The largest number of objects; 0 for no limit.
    public var maxCount: Int
    /// The allowed numbers of objects, in words.
    public var count: String
    /// The delete rule.
    public var deleteRule: String
    /// The former name, if the model has a renaming identifier.
    public var renamingIdentifier: String?
    /// The version hash modifier, if there is one.
    public var versionHashModifier: String?
    /// The user info as texts.
    public var userInfo: [String: String]
  }

  /// A fetched property.
  public struct FetchedProperty: Encodable, Sendable {
    /// The name of the fetched property.
    public var name: String
    /// The entity that is fetched.
    public var entity: String?
    /// The predicate.
    public var predicate: String?
  }

  /// An index.
  public struct Index: Encodable, Sendable {
    /// The name of the index.
    public var name: String
    /// The indexed properties, in words.
    public var definition: String
  }

  /// A fetch request template of the model.
  public struct FetchRequest: Encodable, Sendable {
    /// The name of the fetch request.
    public var name: String
    /// The entity that is fetched.
    public var entity: String?
    /// The predicate.
    public var predicate: String?
    /// The largest number of objects; 0 for no limit.
    public var fetchLimit: Int
  }

  /// A named part of the entities.
  public struct Configuration: Encodable, Sendable {
    /// The name of the configuration.
    public var name: String
    /// The names of the configuration's entities, sorted.
    public var entities: [String]
  }

  /// The file's path.
  public var file: String
  /// The form of the file from which the model was read.
  public var form: ModelForm
  /// The identifiers that the developer has given the version.
  public var versionIdentifiers: [String]
  /// The checksum of the version.
  public var checksum: String
  /// The entities, sorted by name.
  public var entities: [Entity]
  /// The configurations.
  public var configurations: [Configuration]
  /// The fetch requests, sorted by name.
  public var fetchRequests: [FetchRequest]
}
