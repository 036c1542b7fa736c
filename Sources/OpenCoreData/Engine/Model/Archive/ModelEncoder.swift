import Foundation
import OpenCocoaFoundation
internal import VersionHashing

/// Archives a model as the model cache of a store holds it, or as a compiled model.
struct ModelEncoder {
  /// The two layouts of an archived model.
  enum Layout {
    /// Subentities repeat the properties that they inherit. Predicates and expressions that cannot be archived are left
    /// out.
    case cache
    /// Entities list their own properties only.
    case compiled
  }

  private static let emptySlotToken = "__empty_slot_token_4c24_98dc_ac1e_b773__"
  private let contents: ModelContents
  let layout: Layout
  var writer = KeyedArchiveWriter()
  private let root: PropertyListValue
  private var entities: [String?: PropertyListValue] = [:]
  /// The references to declared properties. A subentity's copy of an inherited property has no entry.
  private(set) var properties: [ObjectIdentifier: PropertyListValue] = [:]

  /// Returns the keyed archive of a model.
  /// - Throws: `ArchiveProblem` in a compiled model if a predicate or expression cannot be archived.
  static func encode(_ model: NSManagedObjectModel, as layout: Layout) throws -> Data {
    try encode(ModelContents(model), as: layout)
  }

  /// Returns the keyed archive of entities and of the other contents of a model.
  /// - Throws: `ArchiveProblem` in a compiled model if a predicate or expression cannot be archived.
  static func encode(_ contents: ModelContents, as layout: Layout) throws -> Data {
    var encoder = ModelEncoder(contents, layout)
    return try encoder.encode()
  }

  private init(_ contents: ModelContents, _ layout: Layout) {
    self.contents = contents
    self.layout = layout
    root = writer.reserve()
  }

  private mutating func encode() throws -> Data {
    let sorted = contents.entities.sorted { precedesByBytes($0.name ?? "", $1.name ?? "") }
    for entity in sorted {
      entities[entity.name] = writer.reserve()
      // The properties are sorted by name, not in the order of declaration, so that a decoded model gives the same
      // bytes again.
      let declared = entity.declaredProperties.sorted { precedesByBytes($0.name, $1.name) }
      for property in declared { properties[ObjectIdentifier(property)] = writer.reserve() }
    }
    for entity in sorted { try encode(entity) }
    var fields = [
      "NSEntities": layout == .cache ? knownKeysDictionary(sorted) : dictionary(sorted),
      "NSFetchRequestTemplates": try encode(contents.templates),
      "NSVersionIdentifiers": writer.add(set: encode(contents.versionIdentifiers)),
    ]
    if !contents.configurations.isEmpty {
      let configurations = contents.configurations.map { name, members in
        (key: name, value: writer.add(set: members.map { reference($0) }))
      }
      fields["NSConfigurations"] = writer.add(dictionary: configurations, isMutable: true)
    }
    if let localization = contents.localizationDictionary {
      let entries = localization.sorted { precedesByBytes($0.key, $1.key) }
      fields[ArchivedKey.localization] = writer.add(
        dictionary: entries.map { (key: $0.key, value: writer.add(text: $0.value)) })
    }
    writer.add(["NSManagedObjectModel", "NSObject"], fields, as: root)
    return writer.serialized(root: root)
  }

  /// Adds the dictionary of entities by name, with the class that Apple's framework uses for it in a cache.
  private mutating func knownKeysDictionary(_ sorted: [NSEntityDescription]) -> PropertyListValue {
    let mapping = writer.add(
      ["NSKnownKeysMappingStrategy1", "NSKnownKeysMappingStrategy", "NSObject"],
      [
        "keys": writer.add(array: sorted.map { writer.add(text: $0.name) }),
        "length": .integer(Int64(sorted.count)), "version": .integer(1),
      ])
    return writer.add(
      ["NSKnownKeysDictionary1", "NSKnownKeysDictionary", "NSMutableDictionary", "NSDictionary", "NSObject"],
      [
        "searchMapping": mapping, "values": writer.add(array: sorted.map { reference($0) }),
        "emptyToken": writer.add(text: Self.emptySlotToken), "version": .integer(1),
      ])
  }

  private mutating func dictionary(_ sorted: [NSEntityDescription]) -> PropertyListValue {
    writer.add(dictionary: sorted.map { (key: $0.name ?? "", value: reference($0)) }, isMutable: true)
  }

  /// Archives version identifiers. They are text in source models; clients may set numbers, too.
  private mutating func encode(_ identifiers: Set<AnyHashable>) -> [PropertyListValue] {
    let sorted = identifiers.sorted { precedesByBytes("\($0.base)", "\($1.base)") }
    return sorted.map { writer.add(value: $0.base) }.filter { $0 != KeyedArchiveWriter.null }
  }

  private mutating func encode(_ templates: [String: FetchRequestTemplate]) throws -> PropertyListValue {
    var members: [(key: String, value: PropertyListValue)] = []
    for (name, template) in templates.sorted(by: { precedesByBytes($0.key, $1.key) }) {
      guard let encoded = try ArchivedFetchRequest.add(template, to: &self) else { continue }
      members.append((name, encoded))
    }
    return members.isEmpty ? KeyedArchiveWriter.null : writer.add(dictionary: members, isMutable: true)
  }

  /// Returns the reference to an entity; null if the entity is not in the archive.
  func reference(_ entity: NSEntityDescription?) -> PropertyListValue {
    entity.flatMap { entities[$0.name] } ?? KeyedArchiveWriter.null
  }

  /// Returns the reference to the entity with a name; null if the archive has no such entity.
  func reference(named name: String?) -> PropertyListValue { entities[name] ?? KeyedArchiveWriter.null }

  /// Returns the name of the entity that a template is for.
  func entityName(of template: FetchRequestTemplate) -> String? { template.entityName(among: contents.entities) }

  private mutating func encode(_ entity: NSEntityDescription) throws {
    var members: [(key: String, value: PropertyListValue)] = []
    let listed =
      layout == .cache
      ? Array(entity.propertiesByName.values)
      : Array(Dictionary(entity.declaredProperties.map { ($0.name, $0) }, uniquingKeysWith: { $1 }).values)
    for property in listed.sorted(by: { precedesByBytes($0.name, $1.name) }) {
      let reserved = properties[ObjectIdentifier(property)].flatMap { property.owner === entity ? $0 : nil }
      members.append((property.name, try encode(property, in: entity, as: reserved)))
    }
    let subentities = entity.subentities.sorted { precedesByBytes($0.name ?? "", $1.name ?? "") }
    var fields = [
      "NSEntityName": writer.add(text: entity.name), "NSClassNameForEntity": writer.add(text: entity.storedClassName),
      "NSManagedObjectModel": root, "NSProperties": writer.add(dictionary: members, isMutable: true),
      "NSRenamingIdentifier": writer.add(text: entity.renamingIdentifier),
      "NSSubentities": writer.add(
        dictionary: subentities.map { ($0.name ?? "", reference($0)) }, isMutable: true),
      "NSSuperentity": reference(entity.superentity), "NSUserInfo": userInfo(entity.userInfo),
      "NSVersionHashModifier": writer.add(text: entity.versionHashModifier),
    ]
    if entity.isAbstract { fields["NSIsAbstract"] = .bool(true) }
    if !entity.uniquenessConstraints.isEmpty { fields["NSUniqueTuples"] = groups(entity.uniquenessConstraintNames) }
    let indexes = entity.impliedIndexes + entity.indexes
    if !indexes.isEmpty || !entity.compoundIndexes.isEmpty {
      let compound = entity.indexes.map { $0.elements.compactMap(\.propertyName) }.filter { $0.count > 1 }
      fields["NSCompoundIndexes"] = groups(compound + entity.compoundIndexNames)
      var encoded: [PropertyListValue] = []
      for index in indexes {
        if let index = try encode(index, of: entity) { encoded.append(index) }
      }
      fields["NSFetchIndexDescriptions"] = writer.add(array: encoded, isMutable: true)
    }
    writer.add(["NSEntityDescription", "NSObject"], fields, as: reference(entity))
  }

  private mutating func groups(_ groups: [[String]]) -> PropertyListValue {
    let arrays = groups.map { names in writer.add(array: names.map { writer.add(text: $0) }, isMutable: true) }
    return writer.add(array: arrays, isMutable: true)
  }

  mutating func userInfo(_ userInfo: [AnyHashable: Any]?) -> PropertyListValue {
    let entries = (userInfo ?? [:]).compactMap { key, value in (key.base as? String).map { ($0, value) } }
    return writer.add(
      dictionary: entries.sorted { precedesByBytes($0.0, $1.0) }.map { ($0.0, archive(value: $0.1)) })
  }
}
