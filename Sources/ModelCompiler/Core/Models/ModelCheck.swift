/// Finds mistakes that would make the classes of a model wrong, or the model unreadable.
struct ModelCheck {
  /// The limit of an entity's ancestors; the framework does not read a model with more.
  static let mostAncestors = 500
  private let model: ModelSource
  private let entities: [String: EntitySource]
  private var found: [SourceProblem] = []

  init(_ model: ModelSource) {
    self.model = model
    entities = Dictionary(model.entities.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
  }

  func problems() -> [SourceProblem] {
    var check = self
    check.run()
    return check.found.sorted { ($0.line, $0.column) < ($1.line, $1.column) }
  }

  private mutating func report(_ place: ModelPlace, _ message: String) {
    found.append(SourceProblem(path: model.path, line: place.line, column: place.column, message: message))
  }

  private mutating func run() {
    var names: Set<String> = []
    var classes: [String: String] = [:]
    for entity in model.entities {
      if !names.insert(entity.name).inserted { report(entity.place, "there are two entities “\(entity.name)”") }
      checkClass(of: entity, &classes)
      let ancestors = ancestors(of: entity)
      checkNames(of: entity, ancestors)
      for attribute in entity.attributes { check(attribute, of: entity) }
      checkReferences(of: entity, ancestors)
      for relationship in entity.relationships { check(relationship, of: entity) }
    }
    for member in model.members where entities[member.name] == nil {
      report(member.place, "a configuration names “\(member.name)”, which is no entity")
    }
  }

  private mutating func checkReferences(of entity: EntitySource, _ ancestors: [EntitySource]) {
    guard !entity.references.isEmpty else { return }
    let names = Set(([entity] + ancestors).flatMap { $0.attributes.map(\.name) + $0.relationships.map(\.name) })
    for reference in entity.references where !names.contains(reference.name) {
      report(
        reference.place,
        "an index or constraint of entity “\(entity.name)” names “\(reference.name)”, which is no property")
    }
  }

  private mutating func checkClass(of entity: EntitySource, _ classes: inout [String: String]) {
    guard entity.generation != .manual, let name = ManagedClassName(entity.className) else { return }
    if !name.isValid {
      report(entity.place, "“\(entity.className ?? "")”, the class of entity “\(entity.name)”, is no name of a class")
    }
    if let other = classes.updateValue(entity.name, forKey: name.name) {
      report(entity.place, "the class “\(name.name)” would be generated for “\(other)” and “\(entity.name)”")
    }
  }

  /// Returns the ancestors of an entity, nearest first; reports a parent that does not exist or is a descendant.
  private mutating func ancestors(of entity: EntitySource) -> [EntitySource] {
    var result: [EntitySource] = []
    var seen: Set = [entity.name]
    var next = entity.parent
    while let name = next {
      guard let parent = entities[name] else {
        if result.isEmpty { report(entity.place, "entity “\(entity.name)”: there is no parent entity “\(name)”") }
        break
      }
      guard seen.insert(name).inserted else {
        report(entity.place, "entity “\(entity.name)” inherits from itself")
        break
      }
      guard result.count < Self.mostAncestors else {
        report(entity.place, "entity “\(entity.name)” inherits from more than \(Self.mostAncestors) others")
        break
      }
      result.append(parent)
      next = parent.parent
    }
    return result
  }

  private mutating func checkNames(of entity: EntitySource, _ ancestors: [EntitySource]) {
    var seen = Set(ancestors.flatMap { $0.attributes.map(\.name) + $0.relationships.map(\.name) })
    let own =
      entity.attributes.map { ($0.name, $0.place) } + entity.relationships.map { ($0.name, $0.place) }
    for (name, place) in own {
      if !seen.insert(name).inserted {
        report(place, "entity “\(entity.name)” has two properties “\(name)”, own or inherited")
      }
      if entity.generation != .manual, !SourceName.isValid(name) {
        report(place, "“\(entity.name).\(name)”: a property of a class cannot have this name")
      }
      if entity.generation != .manual, ModelCheck.taken.contains(name) {
        report(place, "“\(entity.name).\(name)”: NSManagedObject has a member of this name; rename the property")
      }
    }
  }

  private static let taken: Set = [
    "debugDescription", "description", "entity", "faultingState", "hasChanges", "hash", "hashValue", "isDeleted",
    "isFault", "isInserted", "isUpdated", "managedObjectContext", "objectID",
  ]

  private mutating func check(_ attribute: AttributeSource, of entity: EntitySource) {
    let name = "attribute “\(entity.name).\(attribute.name)”"
    guard let type = attribute.type else {
      if !attribute.isTransient { report(attribute.place, "\(name) has no type, which only transient ones may lack") }
      return
    }
    guard AttributeTypes.names.contains(type) else {
      return report(attribute.place, "\(name): “\(type)” is no attribute type")
    }
    if type == "Composite", !model.composites.contains(attribute.composite ?? "") {
      report(attribute.place, "\(name): there is no composite “\(attribute.composite ?? "")”")
    }
    if let text = attribute.defaultValue, let problem = DefaultText.problem(text, type: type) {
      report(attribute.place, "\(name): its default value “\(text)” \(problem)")
    }
  }

  private mutating func check(_ relationship: RelationshipSource, of entity: EntitySource) {
    let name = "relationship “\(entity.name).\(relationship.name)”"
    guard let destination = relationship.destination else {
      return report(relationship.place, "\(name) has no destination entity")
    }
    guard entities[destination] != nil else {
      return report(relationship.place, "\(name): there is no destination entity “\(destination)”")
    }
    guard let inverse = relationship.inverseName else { return }
    let owner = relationship.inverseEntity ?? destination
    guard let other = entities[owner] else {
      return report(relationship.place, "\(name): there is no entity “\(owner)”, which its inverse belongs to")
    }
    let candidates = [other] + quietAncestors(of: other)
    guard !candidates.contains(where: { $0.relationships.contains { $0.name == inverse } }) else { return }
    report(relationship.place, "\(name): its inverse “\(owner).\(inverse)” is no relationship")
  }

  private func quietAncestors(of entity: EntitySource) -> [EntitySource] {
    var copy = self
    return copy.ancestors(of: entity)
  }
}
