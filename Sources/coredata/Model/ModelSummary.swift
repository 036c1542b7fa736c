/// What a model says, in the shape of the JSON of `coredata model show`.
///
/// What a model does not say is left out.
struct ModelSummary: Encodable {
  struct Entity: Encodable {
    var name: String
    var className: String?
    var superentity: String?
    var isAbstract: Bool
    var renamingIdentifier: String?
    var versionHashModifier: String?
    var attributes: [Attribute]
    var relationships: [Relationship]
    var fetchedProperties: [FetchedProperty]
    var indexes: [Index]
    var uniquenessConstraints: [[String]]
    var compoundIndexes: [[String]]
    var userInfo: [String: String]
  }

  struct Attribute: Encodable {
    var name: String
    var type: String
    var isOptional: Bool
    var isTransient: Bool
    var defaultValue: String?
    var constraints: [String]
    var derivation: String?
    var elements: String?
    var valueClass: String?
    var transformer: String?
    var isIndexed: Bool
    var usesExternalStorage: Bool
    var usesScalar: Bool
    var renamingIdentifier: String?
    var versionHashModifier: String?
    var userInfo: [String: String]
  }

  struct Relationship: Encodable {
    var name: String
    var destination: String?
    var inverse: String?
    var isToMany: Bool
    var isOrdered: Bool
    var isOptional: Bool
    var isTransient: Bool
    var minCount: Int
    /// 0 for no limit.
    var maxCount: Int
    var count: String
    var deleteRule: String
    var renamingIdentifier: String?
    var versionHashModifier: String?
    var userInfo: [String: String]
  }

  struct FetchedProperty: Encodable {
    var name: String
    var entity: String?
    var predicate: String?
  }

  struct Index: Encodable {
    var name: String
    var definition: String
  }

  struct FetchRequest: Encodable {
    var name: String
    var entity: String?
    var predicate: String?
    /// 0 for no limit.
    var fetchLimit: Int
  }

  struct Configuration: Encodable {
    var name: String
    var entities: [String]
  }

  var file: String
  var form: ModelInput.Form
  var versionIdentifiers: [String]
  var checksum: String
  var entities: [Entity]
  var configurations: [Configuration]
  var fetchRequests: [FetchRequest]
}
