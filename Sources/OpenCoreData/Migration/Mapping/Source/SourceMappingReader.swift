import Foundation
import OpenCocoaFoundation
internal import VersionHashing
internal import XMLReading

import class OpenCocoaFoundation.NSExpression

/// Reads the document of an `.xcmappingmodel`, which is a Core Data XML store of Xcode's own model.
struct SourceMappingReader {
  private struct Object {
    var type = ""
    var attributes: [String: String] = [:]
    var relationships: [String: [String]] = [:]
  }

  private var objects: [String: Object] = [:]

  /// - Throws: `ModelProblem`, naming the entity mapping and the property.
  static func read(_ data: Data) throws -> SourceMapping {
    do {
      var reader = SourceMappingReader()
      try reader.readObjects(data)
      return try reader.mapping()
    } catch let problem as XMLProblem {
      throw ModelProblem.unreadable(problem.reason)
    }
  }

  // MARK: Objects

  private mutating func readObjects(_ data: Data) throws {
    var scanner = try XMLScanner(data)
    guard case .start("database", _) = try scanner.next() else {
      throw ModelProblem.unreadable("It is no mapping model: its element is not <database>.")
    }
    var depth = 1
    while depth > 0 {
      switch try scanner.next() {
      case .start("object", let attributes) where depth == 1:
        let object = try Self.object(Self.value("type", attributes), &scanner)
        if let number = Self.value("id", attributes) { objects[number] = object }
      case .start: depth += 1
      case .end: depth -= 1
      case .text: continue
      case .finished: return
      }
    }
  }

  private static func value(_ name: String, _ attributes: [(name: String, value: String)]) -> String? {
    attributes.first { $0.name == name }?.value
  }

  private static func object(_ type: String?, _ scanner: inout XMLScanner) throws -> Object {
    var object = Object(type: type ?? "")
    var text = ""
    var name: String?
    var depth = 1
    while depth > 0 {
      switch try scanner.next() {
      case .start(let element, let attributes):
        depth += 1
        text = ""
        name = element == "attribute" ? value("name", attributes) : nil
        if element == "relationship", let name = value("name", attributes) {
          object.relationships[name] = (value("idrefs", attributes) ?? "").split(separator: " ").map(String.init)
        }
      case .text(let part): text += part
      case .end:
        depth -= 1
        if depth == 1, let name { object.attributes[name] = XMLStoreText.decoded(text) }
        name = nil
      case .finished: return object
      }
    }
    return object
  }

  // MARK: Mappings

  private func mapping() throws -> SourceMapping {
    let models = objects.values.filter { $0.type == "XDDEVMAPPINGMODEL" }
    guard let model = models.first, models.count == 1 else {
      throw ModelProblem.unreadable("It is no mapping model: it has \(models.count) objects of XDDEVMAPPINGMODEL.")
    }
    var mapping = SourceMapping()
    mapping.sourceModelPath = model.attributes["sourcemodelpath"]
    mapping.destinationModelPath = model.attributes["destinationmodelpath"]
    // Xcode leaves entity mappings behind that no mapping model refers to any more.
    let numbered = try members(model, "entitymappings").enumerated().map { position, object in
      (
        order: (object.attributes["mappingnumber"].flatMap { Int($0) } ?? .max, position), entity: try entity(object)
      )
    }
    mapping.entities = numbered.sorted { $0.order < $1.order }.map(\.entity)
    var names: Set<String> = []
    for entity in mapping.entities where !names.insert(entity.name).inserted {
      throw ModelProblem.inconsistent("There are two entity mappings of this name.", entity: entity.name)
    }
    return mapping
  }

  private func members(_ object: Object, _ relationship: String) -> [Object] {
    object.relationships[relationship, default: []].compactMap { objects[$0] }
  }

  private func entity(_ object: Object) throws -> SourceMapping.Entity {
    func text(_ name: String) -> String? { object.attributes[name].flatMap { $0.isEmpty ? nil : $0 } }
    var entity = SourceMapping.Entity()
    entity.givenName = text("name")
    entity.sourceName = text("sourcename")
    entity.destinationName = text("destinationname")
    entity.policyClassName = text("migrationpolicyclassname")
    if let filter = text("sourcefilterpredicatestring") {
      do {
        _ = try NSPredicate(parsing: filter)
      } catch {
        throw ModelProblem.inconsistent("Its filter “\(filter)” is no predicate: \(error)", entity: entity.name)
      }
      entity.filter = filter
    }
    guard entity.sourceName != nil || entity.destinationName != nil else {
      throw ModelProblem.inconsistent("The entity mapping has neither a source nor a destination.", entity: entity.name)
    }
    entity.attributes = try members(object, "attributemappings").map { attribute in
      let name = attribute.attributes["name"] ?? ""
      return SourceMapping.Attribute(name: name, expression: try expression(attribute, entity.name, name))
    }.sorted { precedesByBytes($0.name, $1.name) }
    entity.relationships = try members(object, "relationshipmappings").map { relationship in
      let name = relationship.attributes["name"] ?? ""
      return SourceMapping.Relationship(
        name: name, expression: try expression(relationship, entity.name, name),
        mappingName: relationship.attributes["sourcemappingname"].flatMap { $0.isEmpty ? nil : $0 },
        keyPath: relationship.attributes["sourcekeypath"].flatMap { $0.isEmpty ? nil : $0 })
    }.sorted { precedesByBytes($0.name, $1.name) }
    return entity
  }

  private func expression(_ object: Object, _ entity: String, _ property: String) throws -> NSExpression? {
    guard let text = object.attributes["valueexpressiondata"], !text.allSatisfy(\.isWhitespace) else { return nil }
    func problem(_ reason: String) -> ModelProblem {
      .inconsistent("The value expression is damaged: \(reason)", entity: entity, property: property)
    }
    guard let data = Data(base64Encoded: text, options: .ignoreUnknownCharacters) else {
      throw problem("it is no base 64.")
    }
    do {
      guard let expression = try SecureUnarchiver.object(in: data, of: [NSExpression.self]) as? NSExpression else {
        throw problem("it is none.")
      }
      return expression
    } catch let error as CocoaError {
      throw problem(error.userInfo[NSDebugDescriptionErrorKey] as? String ?? error.localizedDescription)
    }
  }
}
