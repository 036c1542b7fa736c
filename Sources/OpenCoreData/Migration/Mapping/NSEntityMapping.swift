import Foundation
import OpenCocoaFoundation

import class OpenCocoaFoundation.NSExpression

/// How the objects of a source entity become objects of a destination entity: which objects, and the expressions for
/// the values of attributes and relationships.
///
/// ```swift
/// let model = container.managedObjectModel
/// let mapping = try NSMappingModel.inferredMappingModel(forSourceModel: model, destinationModel: model)
/// let entries = mapping.entityMappingsByName["IEM_Copy_Entry"]
/// print(entries?.destinationEntityName ?? "none", entries?.attributeMappings?.count ?? 0)  // Entry 7
/// ```
///
/// An entity mapping usually comes from a mapping model's file, or from an inferred mapping model that code then
/// changes. The version hashes tell for which versions of the entities it is: a compiled mapping model for other
/// versions than the given models is 134140.
///
/// See also ``NSMappingModel``, ``NSPropertyMapping``, ``NSEntityMigrationPolicy``.
open class NSEntityMapping: NSObject, NSKeyValueCoding {
  private var givenName: String?

  /// Makes a mapping without names, of an undefined type.
  public override init() { super.init() }

  /// The name, unique in its mapping model; by default the names of the source and destination entity, joined by `->`.
  open var name: String! {
    get { givenName ?? "\(sourceEntityName ?? "")->\(destinationEntityName ?? "")" }
    set { givenName = newValue }
  }

  /// The kind of work that the mapping does. It decides what the manager does if the mapping says no more.
  open var mappingType: NSEntityMappingType = .undefinedEntityMappingType

  /// The name of the entity in the source model; nil for an entity that is new.
  open var sourceEntityName: String?

  /// The version hash of the entity in the source model, which must be that of the model to migrate from.
  open var sourceEntityVersionHash: Data?

  /// The name of the entity in the destination model; nil for an entity that is removed.
  open var destinationEntityName: String?

  /// The version hash of the entity in the destination model, which must be that of the model to migrate to.
  open var destinationEntityVersionHash: Data?

  /// The mappings of the destination's attributes, in the order in which they are used.
  open var attributeMappings: [NSPropertyMapping]?

  /// The mappings of the destination's relationships, in the order in which they are used.
  open var relationshipMappings: [NSPropertyMapping]?

  /// The expression that finds the source objects, usually a `FETCH`; nil for a mapping without source objects.
  open var sourceExpression: NSExpression?

  /// The name of the `NSEntityMigrationPolicy` subclass that makes the objects, with or without its module; nil for
  /// `NSEntityMigrationPolicy` itself.
  open var entityMigrationPolicyClassName: String?

  /// Information for the application's own use.
  open var userInfo: [AnyHashable: Any]?

  /// The properties that expressions can read by name, e.g. `$entityMapping.name`.
  open class var keyValueProperties: [OCDKeyValueProperty] {
    [
      OCDKeyValueProperty("name", \NSEntityMapping.name), OCDKeyValueProperty("userInfo", \NSEntityMapping.userInfo),
      OCDKeyValueProperty("sourceEntityName", \NSEntityMapping.sourceEntityName),
      OCDKeyValueProperty("destinationEntityName", \NSEntityMapping.destinationEntityName),
      OCDKeyValueProperty("entityMigrationPolicyClassName", \NSEntityMapping.entityMigrationPolicyClassName),
    ]
  }

  /// Compares contents: names, type, hashes, expressions, property mappings in their order, and user infos.
  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? NSEntityMapping else { return false }
    if self === other { return true }
    return name == other.name && mappingType == other.mappingType
      && sourceEntityName == other.sourceEntityName && destinationEntityName == other.destinationEntityName
      && sourceEntityVersionHash == other.sourceEntityVersionHash
      && destinationEntityVersionHash == other.destinationEntityVersionHash
      && sourceExpression == other.sourceExpression
      && entityMigrationPolicyClassName == other.entityMigrationPolicyClassName
      && (attributeMappings ?? []) == (other.attributeMappings ?? [])
      && (relationshipMappings ?? []) == (other.relationshipMappings ?? []) && equalValues(userInfo, other.userInfo)
  }

  /// The hash of the names of both entities.
  open override var hash: Int {
    var hasher = Hasher()
    hasher.combine(sourceEntityName)
    hasher.combine(destinationEntityName)
    return hasher.finalize()
  }

  /// The name and the type.
  open override var description: String {
    "(<NSEntityMapping>) name \(name ?? ""), type \(mappingType), \(sourceEntityName ?? "(none)") to "
      + "\(destinationEntityName ?? "(none)"), attributes \(attributeMappings?.map { $0.name ?? "" } ?? []), "
      + "relationships \(relationshipMappings?.map { $0.name ?? "" } ?? [])"
  }
}
