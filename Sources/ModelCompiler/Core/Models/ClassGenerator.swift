/// Writes the classes of a model, as Xcode generates them by each entity's setting.
///
/// The properties have bodies, so nothing needs `@NSManaged`.
package struct ClassGenerator {
  let module: String
  let model: ModelSource
  let entities: [String: EntitySource]
  var keys = PropertyKeys()
  var registration: Registration
  /// Whether the properties have bodies. Without bodies they are `@NSManaged`, for the parser only.
  let hasBodies: Bool

  /// The entities whose classes are written; the other entities only supply names to which these refer.
  private let wanted: [EntitySource]

  private init(module: String, model: ModelSource, only entity: String? = nil, hasBodies: Bool = true) {
    wanted = model.entities.filter { $0.generation != .manual && (entity == nil || $0.name == entity) }
    self.hasBodies = hasBodies
    self.module = module
    self.model = model
    entities = Dictionary(model.entities.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    registration = Registration(module: module)
  }

  /// Returns the text of the generated file.
  /// - Parameters:
  ///   - name: the model's name.
  ///   - entity: the name of the one entity whose class is wanted; nil for all entities.
  package static func generate(
    module: String, name: String, model: ModelSource, entity: String? = nil
  ) -> String {
    var generator = ClassGenerator(module: module, model: model, only: entity)
    return generator.run(name)
  }

  /// Returns the same classes as a parsed file, in which names and types are looked up.
  package static func declarations(module: String, name: String, model: ModelSource) -> ParsedFile {
    var generator = ClassGenerator(module: module, model: model, hasBodies: false)
    return Parser.parse(generator.run(name), path: model.path)
  }

  private mutating func run(_ name: String) -> String {
    var text = ""
    for entity in wanted {
      guard let name = ManagedClassName(entity.className) else { continue }
      text += section(for: entity, name)
    }
    let header = "// Generated from the model \(name). Do not edit.\n"
    if text.isEmpty { return header }
    return [header + imports(), text + keys.declarations, registration.text + useOfImport(name)].filter { !$0.isEmpty }
      .joined(separator: "\n")
  }

  /// Returns the imports: the framework, which re-exports Foundation, and the modules that the model names.
  ///
  /// The imports are public because the classes are, even if a setting makes other imports internal.
  private func imports() -> String {
    var modules: Set<String> = []
    for entity in wanted {
      modules.formUnion(entity.attributes.compactMap(AttributeTypes.module))
      let others = entity.relationships.map(\.destination) + [entity.name, entity.parent]
      modules.formUnion(others.compactMap { $0.flatMap { qualification(of: $0) } })
    }
    return (["CoreData"] + modules.sorted()).map { "public import \($0)\n" }.joined()
  }

  /// Returns a use of the framework's import in a signature that counts as public, where the program writes all classes of the
  /// model: they need not be public, and then the compiler would warn about an import that is.
  private func useOfImport(_ name: String) -> String {
    if !hasBodies || wanted.contains(where: { $0.generation == .definition }) { return "" }
    let unique = String(name.map { $0.isLetter || $0.isNumber ? $0 : "_" })
    return "\n@usableFromInline internal typealias _ModelImport_\(unique) = NSManagedObject\n"
  }

  /// Returns the module with which an entity's class has to be qualified; nil if it is this module.
  private func qualification(of entity: String) -> String? {
    guard let source = entities[entity], source.generation != .definition else { return nil }
    return ManagedClassName(source.className)?.module.flatMap { $0 == module ? nil : $0 }
  }

  /// Returns the class of an entity's objects as source text.
  func className(of entity: String?) -> String {
    guard let entity, let name = ManagedClassName(entities[entity]?.className) else { return "NSManagedObject" }
    let spelled = SourceName.spelled(name.name)
    return qualification(of: entity).map { "\($0).\(spelled)" } ?? spelled
  }

  private mutating func section(for entity: EntitySource, _ name: ManagedClassName) -> String {
    let type = className(of: entity.name)
    var text = ""
    if entity.generation == .definition {
      text += "nonisolated public class \(type): \(className(of: entity.parent)) {}\n\n"
      registration.classes.append(Registration.classStatement(name.name, type: type))
    }
    text += "nonisolated extension \(type) {\n"
    text += """
        @nonobjc public class func fetchRequest() -> NSFetchRequest<\(type)> {
          NSFetchRequest<\(type)>(entityName: \(SourceName.quoted(entity.name)))
        }

      """
    for attribute in entity.attributes { text += property(attribute) }
    for relationship in entity.relationships { text += property(relationship) }
    text += "}\n\n"
    for relationship in entity.relationships where relationship.isToMany { text += accessors(relationship, type) }
    // A subclass inherits the conformance from its superclass.
    if entity.parent == nil { text += "extension \(type): Identifiable {}\n\n" }
    let properties = ([entity] + ancestors(of: entity).filter { $0.generation != .manual }).flatMap {
      $0.attributes.map(\.name) + $0.relationships.map(\.name)
    }
    if !properties.isEmpty {
      registration.keyPaths.append((type, properties.map { Registration.keyPathStatement(type, $0) }.joined()))
    }
    return text
  }

  private func ancestors(of entity: EntitySource) -> [EntitySource] {
    var result: [EntitySource] = []
    while result.count < min(entities.count, ModelCheck.mostAncestors),
      let parent = (result.last ?? entity).parent.flatMap({ entities[$0] })
    {
      result.append(parent)
    }
    return result
  }
}
