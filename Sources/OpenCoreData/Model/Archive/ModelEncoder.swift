import OpenCocoaFoundation
import Foundation

/// Archives a model as the model cache of a store holds it: subentities repeat the properties that they inherit.
struct ModelEncoder {
  private static let emptySlotToken = "__empty_slot_token_4c24_98dc_ac1e_b773__"
  private let model: NSManagedObjectModel
  var writer = KeyedArchiveWriter()
  private let root: PropertyListValue
  private var entities: [ObjectIdentifier: PropertyListValue] = [:]
  /// The references of declared properties; a subentity's copy of an inherited one is not among them.
  private(set) var properties: [ObjectIdentifier: PropertyListValue] = [:]

  /// The keyed archive of a model.
  static func encode(_ model: NSManagedObjectModel) -> Data {
    var encoder = ModelEncoder(model: model)
    return encoder.encode()
  }

  private init(model: NSManagedObjectModel) {
    self.model = model
    root = writer.reserve()
  }

  private mutating func encode() -> Data {
    let sorted = model.entities.sorted { precedesByBytes($0.name ?? "", $1.name ?? "") }
    for entity in sorted {
      entities[ObjectIdentifier(entity)] = writer.reserve()
      // The order of names, not of declarations, so that a decoded model gives the same bytes again.
      let declared = entity.declaredProperties.sorted { precedesByBytes($0.name, $1.name) }
      for property in declared { properties[ObjectIdentifier(property)] = writer.reserve() }
    }
    for entity in sorted { encode(entity) }
    var fields = [
      "NSEntities": knownKeysDictionary(sorted), "NSFetchRequestTemplates": KeyedArchiveWriter.null,
      "NSVersionIdentifiers": writer.add(
        set: model.versionIdentifiers.compactMap { $0.base as? String }.sorted(by: precedesByBytes).map {
          writer.add(text: $0)
        }),
    ]
    if !model.configurations.isEmpty {
      let configurations = model.configurations.map { name in
        let members = model.entities(forConfigurationName: name) ?? []
        return (key: name, value: writer.add(set: members.map { reference($0) }))
      }
      fields["NSConfigurations"] = writer.add(dictionary: configurations, isMutable: true)
    }
    writer.add(["NSManagedObjectModel", "NSObject"], fields, as: root)
    return writer.serialized(root: root)
  }

  /// The dictionary of entities by name, in the class that the original uses for it.
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

  func reference(_ entity: NSEntityDescription?) -> PropertyListValue {
    entity.flatMap { entities[ObjectIdentifier($0)] } ?? KeyedArchiveWriter.null
  }

  private mutating func encode(_ entity: NSEntityDescription) {
    var members: [(key: String, value: PropertyListValue)] = []
    for property in entity.propertiesByName.values.sorted(by: { precedesByBytes($0.name, $1.name) }) {
      let reserved = property.owner === entity ? properties[ObjectIdentifier(property)] : nil
      guard let encoded = encode(property, in: entity, as: reserved) else { continue }
      members.append((property.name, encoded))
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
      fields["NSFetchIndexDescriptions"] = writer.add(array: indexes.map { encode($0, of: entity) }, isMutable: true)
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
      dictionary: entries.sorted { precedesByBytes($0.0, $1.0) }.map { ($0.0, writer.add(value: $0.1)) })
  }

  private mutating func encode(_ index: NSFetchIndexDescription, of entity: NSEntityDescription) -> PropertyListValue {
    let result = writer.reserve()
    let elements = index.elements.map { element in
      writer.add(
        ["NSFetchIndexElementDescription", "NSObject"],
        [
          "NSPropertyName": writer.add(text: element.propertyName), "NSAscending": .bool(element.isAscending),
          "NSFetchIndexElementType": .integer(Int64(element.collationType.rawValue)), "NSFetchIndexDescription": result,
        ])
    }
    return writer.add(
      ["NSFetchIndexDescription", "NSObject"],
      [
        "NSIndexName": writer.add(text: index.name), "NSIndexElements": writer.add(array: elements),
        "NSPartialIndexPredicate": KeyedArchiveWriter.null, "NSEntity": reference(entity),
      ], as: result)
  }
}
