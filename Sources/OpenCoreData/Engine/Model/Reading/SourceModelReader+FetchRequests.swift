import Foundation
import OpenCocoaFoundation

extension SourceModelReader {
  /// Reads a fetched property with its request.
  func fetchedProperty(_ element: XMLElementTree, entity: String) throws -> NSFetchedPropertyDescription {
    guard let name = element["name"], !name.isEmpty else {
      throw ModelProblem.inconsistent("A fetched property has no name.", entity: entity)
    }
    let property = NSFetchedPropertyDescription()
    readCommon(element, into: property)
    property.isTransient = true
    property.template = try element.children(named: "fetchRequest").first.map {
      try template($0, entity: entity, property: name)
    }
    return property
  }

  /// Reads the fetch request templates of the model, after all entities have been read.
  func readTemplates(into model: NSManagedObjectModel) throws {
    for element in root.children(named: "fetchRequest") {
      guard let name = element["name"], !name.isEmpty else {
        throw ModelProblem.inconsistent("A fetch request has no name.")
      }
      guard model.templates[name] == nil else {
        throw ModelProblem.inconsistent("There are two fetch requests named “\(name)”.")
      }
      model.templates[name] = try template(element, entity: nil, property: name)
    }
    for entity in model.entities {
      for case let fetched as NSFetchedPropertyDescription in entity.declaredProperties {
        guard let target = fetched.template?.entityName else { continue }
        _ = try self.entity(target, for: entity.name, fetched.name)
      }
    }
  }

  private func template(_ element: XMLElementTree, entity: String?, property: String) throws -> FetchRequestTemplate {
    func problem(_ reason: String) -> ModelProblem { .inconsistent(reason, entity: entity, property: property) }
    func number(_ attribute: String) throws -> Int {
      guard let text = element[attribute] else { return 0 }
      guard let value = Int32(text), value >= 0 else { throw problem("\(attribute) is “\(text)”, not a number.") }
      return Int(value)
    }
    // A fetched property may come before the entity that its request names, so that entity is looked for at the end.
    guard let name = element["entity"], entity != nil || hasEntity(name) else {
      throw problem("The fetch request is for “\(element["entity"] ?? "")”, which is no entity.")
    }
    var template = FetchRequestTemplate(entityName: name)
    if let format = element["predicateString"], !format.isEmpty {
      do {
        template.predicate = try NSPredicate(parsing: format)
      } catch {
        throw problem("The predicate “\(format)” is none: \(error)")
      }
    }
    template.fetchLimit = try number("fetchLimit")
    template.fetchBatchSize = try number("fetchBatchSize")
    template.resultType = NSFetchRequestResultType(rawValue: UInt(try number("resultType")))
    template.includesSubentities = element["includeSubentities"] != "NO"
    // Apple's compiler turns off options that do not fit results of object IDs (1) and of dictionaries (2).
    template.includesPropertyValues = element["includePropertyValues"] != "NO" && template.resultType.rawValue != 1
    template.includesPendingChanges = element["includesPendingChanges"] != "NO" && template.resultType.rawValue != 2
    template.returnsObjectsAsFaults = element["returnObjectsAsFaults"] != "NO"
    template.returnsDistinctResults = element.flag("returnDistinctResults")
    return template
  }
}
