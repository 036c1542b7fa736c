import Foundation
import OpenCocoaFoundation
internal import VersionHashing

/// Makes the descriptions of a model from its archive: a compiled model, or the model cache of a store.
///
/// A cache repeats inherited properties in subentities, a compiled model does not; both are read.
struct ModelDecoder {
  private let root: ArchivedObject
  let embedded: EmbeddedArchives
  private let allowsParts: Bool
  private var entities: [String: NSEntityDescription] = [:]
  private var archived: [String: ArchivedObject] = [:]
  private var names: [String] = []

  /// Decodes an archive into an empty model.
  ///
  /// - Parameter allowsParts: whether entities may have expression descriptions and plain property descriptions, which
  ///   no entity of a model has, and names that SQL does not allow.
  /// - Throws: `ArchiveProblem` or `ModelProblem`.
  static func decode(_ data: Data, into model: NSManagedObjectModel, allowingParts allowsParts: Bool = false) throws {
    let archive = try KeyedArchive(data)
    guard let root = archive.object(archive.root), root.isKind(of: "NSManagedObjectModel") else {
      throw ArchiveProblem("The archive holds no managed object model.")
    }
    var decoder = ModelDecoder(root: root, embedded: EmbeddedArchives(archive), allowsParts: allowsParts)
    try decoder.decode(into: model)
  }

  private init(root: ArchivedObject, embedded: EmbeddedArchives, allowsParts: Bool) {
    self.root = root
    self.embedded = embedded
    self.allowsParts = allowsParts
  }

  private mutating func decode(into model: NSManagedObjectModel) throws {
    for (name, value) in root.entries("NSEntities") {
      guard let object = root.archive.object(value.uidValue), entities[name] == nil else { continue }
      archived[name] = object
      entities[name] = try entity(name, object)
      names.append(name)
    }
    try linkParents()
    for name in names { try addProperties(to: name) }
    // An archive that allows parts may hold a model that was made in code for stores without SQL, so its names are not
    // checked.
    if !allowsParts { for name in names { try entities[name].map(NameCheck.check) } }
    for name in names { try finish(name) }
    model.entities = names.compactMap { entities[$0] }
    model.versionIdentifiers = Set(
      root.elements("NSVersionIdentifiers").compactMap { root.archive.value($0) as? AnyHashable })
    for (name, value) in root.entries("NSFetchRequestTemplates") {
      guard let object = root.archive.object(value.uidValue) else { continue }
      model.templates[name] = try ArchivedFetchRequest.template(object, entityName: nil, embedded)
    }
    if root.object(ArchivedKey.localization) != nil {
      model.localizationDictionary = Dictionary(
        root.entries(ArchivedKey.localization).compactMap { key, value in root.archive.string(value).map { (key, $0) }
        },
        uniquingKeysWith: { $1 })
    }
    for (configuration, members) in root.entries("NSConfigurations") {
      let objects = root.archive.object(members.uidValue)?.fields["NS.objects"]?.arrayValue ?? []
      let members = objects.compactMap { root.archive.object($0.uidValue)?.string("NSEntityName") }
      model.setEntities(members.compactMap { entities[$0] }, forConfigurationName: configuration)
    }
  }

  private func entity(_ name: String, _ object: ArchivedObject) throws -> NSEntityDescription {
    let entity = NSEntityDescription()
    entity.name = name
    entity.storedClassName = object.string("NSClassNameForEntity").map { name in
      name.hasPrefix(".") ? String(name.dropFirst()) : name
    }
    entity.isAbstract = object.bool("NSIsAbstract")
    entity.versionHashModifier = object.string("NSVersionHashModifier")
    entity.storedRenamingIdentifier = object.string("NSRenamingIdentifier").flatMap { $0 == name ? nil : $0 }
    entity.userInfo = try ArchivedProperty.userInfo(object, embedded)
    return entity
  }

  private func linkParents() throws {
    let parents = archived.compactMapValues { $0.object("NSSuperentity")?.string("NSEntityName") }
    for name in names {
      guard let parentName = parents[name] else { continue }
      guard let child = entities[name], let parent = entities[parentName] else {
        throw ModelProblem.inconsistent("There is no entity “\(parentName)”.", entity: name)
      }
      try InheritanceCheck.check(name, parents: parents)
      parent.subentities.append(child)
    }
  }

  /// Adds the properties that no superentity has.
  private func addProperties(to name: String) throws {
    guard let entity = entities[name], let object = archived[name] else { return }
    var inherited: Set<String> = []
    var ancestor = entity.superentity
    while let current = ancestor {
      inherited.formUnion(archived[current.name ?? ""]?.entries("NSProperties").map(\.key) ?? [])
      ancestor = current.superentity
    }
    let own = object.entries("NSProperties").filter { !inherited.contains($0.key) }
    let properties = try own.sorted { precedesByBytes($0.key, $1.key) }.compactMap {
      name, value -> NSPropertyDescription? in
      guard let property = object.archive.object(value.uidValue) else { return nil }
      return try ArchivedProperty.property(
        property, name: name, entity: entity.name ?? "", allowsParts: allowsParts, embedded)
    }
    entity.declare(properties)
  }

  /// Links the relationships of an entity, and reads its constraints and indexes, which refer to properties by name.
  private func finish(_ name: String) throws {
    guard let entity = entities[name], let object = archived[name] else { return }
    for (propertyName, value) in object.entries("NSProperties") {
      guard let relationship = entity.declaredProperty(propertyName) as? NSRelationshipDescription,
        let archivedRelationship = object.archive.object(value.uidValue)
      else { continue }
      try link(relationship, archivedRelationship, entity: name)
    }
    try readIndexes(of: entity, object)
  }

  private func link(_ relationship: NSRelationshipDescription, _ object: ArchivedObject, entity: String) throws {
    let destination =
      object.string("_NSDestinationEntityName") ?? object.object("NSDestinationEntity")?.string("NSEntityName")
    guard let destination else { return }
    guard let target = entities[destination] else {
      throw ModelProblem.inconsistent(
        "There is no entity “\(destination)”.", entity: entity, property: relationship.name)
    }
    relationship.destinationEntity = target
    let inverse =
      object.string("_NSInverseRelationshipName") ?? object.object("NSInverseRelationship")?.string("NSPropertyName")
    relationship.inverseRelationship = inverse.flatMap { target.findProperty($0) as? NSRelationshipDescription }
  }
}
