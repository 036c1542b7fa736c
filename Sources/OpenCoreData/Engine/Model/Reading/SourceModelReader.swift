import Foundation

/// Turns the XML of a source model into descriptions: first the entities and their properties, then the links between
/// them.
struct SourceModelReader {
  let root: XMLElementTree
  private var entities: [String: NSEntityDescription] = [:]
  /// The elements of the composite types that attributes may have.
  let composites: [String: XMLElementTree]
  /// The module name for classes of "the module that is being built"; nil if no module is being built.
  private let module: String?

  init(root: XMLElementTree, module: String? = nil) throws {
    guard root.name == "model" else { throw ModelProblem.unreadable("The file holds <\(root.name)>, not <model>.") }
    self.root = root
    self.module = module
    composites = Dictionary(
      root.children(named: "composite").map { ($0["name"] ?? "", $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// Reads the whole source model into an empty model.
  mutating func read(into model: NSManagedObjectModel) throws {
    let elements = root.children(named: "entity")
    for element in elements { try add(element) }
    try linkParents(elements)
    for element in elements {
      let entity = try entity(element["name"] ?? "")
      try NameCheck.check(entity)
      try checkNames(of: entity)
      try linkRelationships(of: entity, element)
      try readIndexes(of: entity, element)
    }
    for entity in entities.values { try RelationshipCheck.check(entity) }
    model.entities = elements.compactMap { $0["name"].flatMap { entities[$0] } }
    if let identifier = root["userDefinedModelVersionIdentifier"] { model.versionIdentifiers = [identifier] }
    try readConfigurations(into: model)
    try readTemplates(into: model)
  }

  /// Returns the entity with a name, or throws a problem at the entity and property that refer to it.
  func entity(_ name: String, for owner: String? = nil, _ property: String? = nil) throws -> NSEntityDescription {
    guard let entity = entities[name] else {
      throw ModelProblem.inconsistent("There is no entity “\(name)”.", entity: owner, property: property)
    }
    return entity
  }

  /// Whether the model has an entity with a name.
  func hasEntity(_ name: String) -> Bool { entities[name] != nil }

  private mutating func add(_ element: XMLElementTree) throws {
    guard let name = element["name"], !name.isEmpty else { throw ModelProblem.inconsistent("An entity has no name.") }
    guard entities[name] == nil else {
      throw ModelProblem.inconsistent("There are two entities of this name.", entity: name)
    }
    let entity = NSEntityDescription()
    entity.name = name
    entity.storedClassName = objectClassName(element["representedClassName"])
    entity.isAbstract = element.flag("isAbstract")
    entity.versionHashModifier = element["versionHashModifier"]
    entity.storedRenamingIdentifier = element["elementID"]
    entity.userInfo = userInfo(element)
    entity.properties = try element.children.compactMap { child in
      switch child.name {
      case "attribute": try attribute(child, entity: name)
      case "relationship": try relationship(child, entity: name)
      case "fetchedProperty": try fetchedProperty(child, entity: name)
      default: nil
      }
    }
    entities[name] = entity
  }

  /// Returns the name of the class of an entity's objects, with the module's name if the class belongs to the module.
  private func objectClassName(_ text: String?) -> String? {
    guard let name = className(text) else { return nil }
    guard let module, text?.hasPrefix(".") == true, name != "NSManagedObject" else { return name }
    return "\(module).\(name)"
  }

  /// Returns a class name without the dot that stands for "the module that is being built".
  func className(_ text: String?) -> String? {
    guard let text else { return nil }
    let name = text.hasPrefix(".") ? String(text.dropFirst()) : text
    return name.isEmpty ? nil : name
  }

  /// Returns the entries of the `userInfo` elements; an empty dictionary without such elements.
  func userInfo(_ element: XMLElementTree) -> [AnyHashable: Any] {
    var result: [AnyHashable: Any] = [:]
    for entry in element.children(named: "userInfo").flatMap({ $0.children(named: "entry") }) {
      if let key = entry["key"] { result[key] = entry["value"] ?? "" }
    }
    return result
  }

  private func linkParents(_ elements: [XMLElementTree]) throws {
    let parents = Dictionary(
      elements.compactMap { e in e["parentEntity"].map { (e["name"] ?? "", $0) } }, uniquingKeysWith: { $1 })
    for element in elements {
      guard let name = element["name"], let parentName = element["parentEntity"] else { continue }
      let parent = try entity(parentName, for: name)
      try InheritanceCheck.check(name, parents: parents)
      parent.subentities.append(try entity(name))
    }
  }

  /// Throws a problem if two properties of an entity have one name, inherited properties included.
  private func checkNames(of entity: NSEntityDescription) throws {
    var seen: Set<String> = []
    for property in entity.properties where !seen.insert(property.name).inserted {
      throw ModelProblem.inconsistent(
        "There are two properties of this name, own or inherited.", entity: entity.name, property: property.name)
    }
  }

  private func readConfigurations(into model: NSManagedObjectModel) throws {
    for configuration in root.children(named: "configuration") {
      let members = try configuration.children(named: "memberEntity").map { try entity($0["name"] ?? "") }
      model.setEntities(members, forConfigurationName: configuration["name"] ?? "")
    }
  }
}
