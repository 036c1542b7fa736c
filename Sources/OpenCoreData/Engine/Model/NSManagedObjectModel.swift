import Foundation
import OpenCocoaFoundation
import Synchronization

/// The entities of an application's objects, and the relationships between them. A model is read from a model file or
/// built in code.
///
/// Load a model once and pass it to the container: if a model is loaded twice, `entity()` of a class is ambiguous
/// (D-OBJ-05). A model can be changed until a coordinator first uses it. A later change stops the program (D-MOD-02);
/// change a `copy()` instead.
///
/// ```swift
/// let name = NSAttributeDescription()
/// name.name = "name"
/// name.attributeType = .stringAttributeType
/// let person = NSEntityDescription()
/// person.name = "Person"
/// person.properties = [name]
/// let model = NSManagedObjectModel()
/// model.entities = [person]
/// print(model.entitiesByName["Person"]?.attributesByName.count ?? 0)  // 1
/// ```
///
/// If a model file contradicts itself (an inverse that leads to another entity, two entities of one name),
/// ``init(validatingContentsOf:)`` throws an error that names entity and property. A model built in code that
/// contradicts itself stops the program at its first use.
///
/// `@unchecked Sendable`: only the code that builds a model may use it until it is complete. From the first use on
/// nothing in the model changes (`isFrozen`), apart from the caches that `lock` protects.
///
/// See also ``NSEntityDescription``, ``NSPersistentContainer/init(name:managedObjectModel:)``.
open class NSManagedObjectModel: NSObject, NSCopying, NSSecureCoding, ModelPart, @unchecked Sendable {
  final var isFrozen = false
  /// Protects freezing, `cachedVersionHashes` and `storedLocalizationDictionary`, which may change later.
  final let lock = NSLock()
  final var storedEntities: [NSEntityDescription] = []
  final var storedEntitiesByName: [String: NSEntityDescription] = [:]
  final var storedStoreOrder: [NSEntityDescription]?
  /// Whether the layouts of the entities and `storedEntitiesByClass` have been set.
  final let isPrepared = Atomic<Bool>(false)
  /// The topmost entity of each class.
  final var storedEntitiesByClass: [ObjectIdentifier: NSEntityDescription] = [:]
  /// The version hashes, computed when first asked for after freezing.
  final var cachedVersionHashes: [String: Data]?
  private final var storedLocalizationDictionary: [String: String]?
  /// What stores have computed from the model.
  final let shared = SharedValues()
  final var entitiesByConfiguration: [String: [NSEntityDescription]] = [:]
  final var templates: [String: FetchRequestTemplate] = [:] { willSet { willModify() } }

  /// Makes a model without entities.
  public override init() { super.init() }

  /// Decodes a model. Returns nil, with an error of the coder (4864), if the archive holds no model.
  ///
  /// Differs from Apple (D-MOD-06): an archive that Apple's NSKeyedArchiver wrote is not read here; `init(contentsOf:)`
  /// reads it as a `.mom`.
  public required init?(coder: NSCoder) {
    super.init()
    guard DescriptionCoder.decode(self, coder) else { return nil }
  }

  /// True: models are archived securely.
  public class var supportsSecureCoding: Bool { true }

  /// Archives the model. A predicate with a block, which cannot be archived, stops the program.
  public func encode(with coder: NSCoder) { DescriptionCoder.encode(self, coder) }

  /// The entities of the model, in the order in which they were set, followed by their subentities. Setting the
  /// entities makes them entities of this model: an entity belongs to one model only.
  ///
  /// ```swift
  /// for entity in container.managedObjectModel.entities {
  ///   print(entity.name ?? "", entity.relationshipsByName.keys.sorted())
  /// }
  /// ```
  ///
  /// Setting them in a model that is in use stops the program (D-MOD-02).
  ///
  /// Differs from Apple (D-MOD-03): subentities of the given entities that are not in the list are added to it.
  ///
  /// See also ``entitiesByName``.
  public final var entities: [NSEntityDescription] {
    get { storedEntities }
    set {
      willModify()
      for entity in storedEntities where entity.model === self { entity.model = nil }
      storedEntities = Self.withSubentities(newValue)
      for entity in storedEntities { entity.model = self }
      for (name, members) in entitiesByConfiguration {
        entitiesByConfiguration[name] = members.filter { $0.model === self }
      }
    }
  }

  /// The entities by name. In a model that is in use this is a stored dictionary, and costs a look-up.
  ///
  /// ```swift
  /// let entity = container.managedObjectModel.entitiesByName["Entry"]
  /// print(entity?.propertiesByName.keys.sorted().prefix(3) ?? [])  // ["date", "isPinned", "pages"]
  /// ```
  ///
  /// See also ``entities``, ``NSEntityDescription/entity(forEntityName:in:)``.
  public final var entitiesByName: [String: NSEntityDescription] {
    isFrozen
      ? storedEntitiesByName
      : Dictionary(storedEntities.compactMap { e in e.name.map { ($0, e) } }, uniquingKeysWith: { $1 })
  }

  /// Names of the version for people to read. They do not enter the version hashes.
  public final var versionIdentifiers: Set<AnyHashable> = [] { willSet { willModify() } }

  /// Text for the user in place of the names of entities, properties and errors. The model only keeps the dictionary.
  public final var localizationDictionary: [String: String]? {
    get { lock.withLock { storedLocalizationDictionary } }
    set { lock.withLock { storedLocalizationDictionary = newValue } }
  }

  // MARK: Configurations

  /// The name of the configuration in the metadata of a store that holds the whole model.
  static let defaultConfiguration = "PF_DEFAULT_CONFIGURATION_NAME"

  /// The names of the configurations, sorted.
  public final var configurations: [String] { entitiesByConfiguration.keys.sorted() }

  /// Returns the entities of a configuration and their subentities; nil if there is no such configuration. Returns all
  /// entities of the model for nil, and for the `configurationName` of a store that holds the whole model (D-MOD-16).
  public final func entities(forConfigurationName configuration: String?) -> [NSEntityDescription]? {
    guard let configuration else { return storedEntities }
    guard let listed = entitiesByConfiguration[configuration] else {
      return configuration == Self.defaultConfiguration ? storedEntities : nil
    }
    var known = Set(listed.map(ObjectIdentifier.init))
    let below = listed.flatMap(\.allSubentities).filter { known.insert(ObjectIdentifier($0)).inserted }
    return listed + below
  }

  /// Returns the entities of a configuration that a store holds. A store that an earlier version of this library made
  /// holds only the entities that the configuration lists, without their subentities.
  package final func entities(
    forConfigurationName configuration: String?, heldByStoreWith metadata: [String: Any]?
  ) -> [NSEntityDescription]? {
    guard let all = entities(forConfigurationName: configuration) else { return nil }
    guard let listed = configuration.flatMap({ entitiesByConfiguration[$0] }), listed.count < all.count,
      let stored = metadata?[NSStoreModelVersionHashesKey] as? [String: Data]
    else { return all }
    return Set(stored.keys) == Set(listed.compactMap(\.name)) ? listed : all
  }

  /// Makes the given entities of the model a configuration, which a store may hold in place of the whole model. An
  /// entity of another model stops the program. Relationships between entities of different stores cannot be saved
  /// (133010).
  public final func setEntities(_ entities: [NSEntityDescription], forConfigurationName configuration: String) {
    willModify()
    for entity in entities where entity.model !== self {
      raise(
        .invalidArgument,
        "The entity '\(entity.name ?? "")' cannot be in configuration '\(configuration)': it is not in the model.")
    }
    entitiesByConfiguration[configuration] = entities
  }

  /// Returns the given entities, each once, followed by the entities that inherit from them.
  private static func withSubentities(_ entities: [NSEntityDescription]) -> [NSEntityDescription] {
    var seen: Set<ObjectIdentifier> = []
    var result = entities.filter { seen.insert(ObjectIdentifier($0)).inserted }
    var next = 0
    while next < result.count {
      result += result[next].subentities.filter { seen.insert(ObjectIdentifier($0)).inserted }
      next += 1
    }
    return result
  }

  // MARK: Equality

  /// Compares entities, configurations and fetch request templates by content.
  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? NSManagedObjectModel else { return false }
    return self === other
      || (entitiesByName == other.entitiesByName && templates == other.templates
        && entitiesByConfiguration.mapValues { Set($0.map(\.name)) }
          == other.entitiesByConfiguration.mapValues { Set($0.map(\.name)) })
  }

  /// The hash of the entities' names.
  open override var hash: Int { Set(storedEntities.map(\.name)).hashValue }

  /// The names of the entities and configurations.
  open override var description: String {
    "(<NSManagedObjectModel>) entities \(storedEntities.map { $0.name ?? "" }), configurations \(configurations)"
  }
}
