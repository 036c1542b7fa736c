import Foundation
import OpenCocoaFoundation

/// How the objects of one version of a model become objects of another: an entity mapping for each entity. It is built
/// in code, read from a file, found in a bundle, or inferred from the two versions.
///
/// ```swift
/// let mapping = NSMappingModel()
/// let tags = NSEntityMapping()
/// tags.mappingType = .transformEntityMappingType
/// (tags.sourceEntityName, tags.destinationEntityName) = ("Tag", "Tag")
/// mapping.entityMappings = [tags]
/// print(mapping.entityMappingsByName.keys.sorted())  // ["Tag->Tag"]
/// ```
///
/// An entity that no mapping names is not migrated: its objects are not in the new store.
///
/// See also ``inferredMappingModel(forSourceModel:destinationModel:)``, ``NSMigrationManager``.
open class NSMappingModel: NSObject {
  private var mappings: [NSEntityMapping] = []

  /// Makes a mapping model without entity mappings.
  public override init() { super.init() }

  /// The mappings of entities, in the order in which a migration takes them.
  ///
  /// Two mappings of the same name stop the program, because they could not be told apart.
  open var entityMappings: [NSEntityMapping]! {
    get { mappings }
    set {
      mappings = newValue ?? []
      var names: Set<String> = []
      for mapping in mappings where !names.insert(mapping.name).inserted {
        raise(.invalidArgument, "There are two entity mappings of the name '\(mapping.name ?? "")'.")
      }
    }
  }

  /// The mappings of entities by their names.
  open var entityMappingsByName: [String: NSEntityMapping] {
    Dictionary(mappings.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// Compares the entity mappings, in their order.
  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? NSMappingModel else { return false }
    return self === other || mappings == other.mappings
  }

  /// The number of entity mappings.
  open override var hash: Int { mappings.count }

  /// The names of the entity mappings.
  open override var description: String {
    "(<NSMappingModel>) entityMappings \(mappings.map { $0.name ?? "" })"
  }
}
