import CoreData
import Foundation
import Testing

import class OpenCocoaFoundation.NSExpression

@_spi(Store) @testable import OpenCoreData

/// Mapping models that are built in code, and what their expressions give.
@Suite struct MappingModelTests {
  @Test func builtInCode() {
    let mapping = NSEntityMapping()
    #expect(mapping.mappingType == .undefinedEntityMappingType && mapping.attributeMappings == nil)
    mapping.sourceEntityName = "Note"
    mapping.destinationEntityName = "Memo"
    #expect(mapping.name == "Note->Memo")
    mapping.name = "notes"
    mapping.mappingType = .transformEntityMappingType
    mapping.userInfo = ["by": "hand"]
    let property = NSPropertyMapping()
    property.name = "title"
    property.valueExpression = NSExpression(format: "$source.name")
    mapping.attributeMappings = [property]
    let model = NSMappingModel()
    #expect(model.entityMappings.isEmpty)
    model.entityMappings = [mapping]
    #expect(model.entityMappingsByName["notes"] === mapping)
    #expect(model.description.contains("notes") && mapping.description.contains("Memo"))
    #expect(property.description.contains("$source.name"))
    #expect(NSEntityMappingType(rawValue: 4) == .copyEntityMappingType && NSEntityMappingType(rawValue: 6) == nil)
  }

  @Test func twoMappingsOfOneNameStopTheProgram() async {
    await #expect(processExitsWith: .failure) {
      let model = NSMappingModel()
      model.entityMappings = [NSEntityMapping(), NSEntityMapping()]
    }
  }

  @Test func variables() {
    #expect(
      [
        NSMigrationManagerKey, NSMigrationSourceObjectKey, NSMigrationDestinationObjectKey, NSMigrationEntityMappingKey,
        NSMigrationPropertyMappingKey, NSMigrationEntityPolicyKey,
      ] == ["manager", "source", "destination", "entityMapping", "propertyMapping", "entityPolicy"])
  }

  // MARK: Evaluation

  /// Stands for a migration manager: answers with what it was asked.
  private final class Manager: NSObject, OCDCallableByName, NSKeyValueCoding {
    let sourceContext: NSManagedObjectContext
    init(_ context: NSManagedObjectContext) { sourceContext = context }

    static let keyValueProperties = [OCDKeyValueProperty("sourceContext", \Manager.sourceContext)]
    static let callableMethods = [
      OCDCallableMethod(MappingFunction.fetchRequest.rawValue, Manager.request),
      OCDCallableMethod(MappingFunction.destinationInstances.rawValue, Manager.instances),
    ]

    func request(_ entity: String, _ predicate: String) -> NSFetchRequest<NSManagedObject> {
      let request = NSFetchRequest<NSManagedObject>(entityName: entity)
      request.includesSubentities = false
      request.predicate = NSPredicate(format: predicate)
      return request
    }

    func instances(_ mapping: String, _ sources: Any?) -> [String] {
      let objects = (sources as? Set<NSManagedObject>) ?? Set([sources as? NSManagedObject].compactMap { $0 })
      return objects.compactMap { $0.value(forKey: "name") as? String }.sorted() + [mapping]
    }
  }

  @Test func expressionsWorkOnObjects() throws {
    let model = try MigrationFixture.notes(1)
    let context = TestModel.context(try TestModel.coordinator(model))
    try context.performAndWait {
      let folder = context.insert("Folder", ["name": "F"])
      let tags = ["b", "a"].map { context.insert("Tag", ["name": $0]) }
      let note = context.insert("Note", ["title": "t", "stars": 5, "folder": folder, "tags": Set(tags)])
      context.insert("Draft", ["title": "d"])
      context.insert("Note", ["stars": 1])
      try context.save()
      let bindings: NSMutableDictionary = [NSMigrationManagerKey: Manager(context), NSMigrationSourceObjectKey: note]
      func value(_ expression: NSExpression) -> Any? { expression.expressionValue(with: note, context: bindings) }
      #expect(value(NSExpression(format: "$source.title")) as? String == "t")
      #expect(value(NSExpression(format: "$source.folder.name")) as? String == "F")
      #expect(value(NSExpression(format: "$source.tags.@count")) as? Int == 2)
      #expect(value(NSExpression(format: "$source.stars + 0.5")) as? Double == 5.5)
      #expect(value(NSExpression(format: "YES")) as? Bool == true)
      #expect(value(MappingFunction.source) as? NSManagedObject === note)
      let mapping = NSEntityMapping()
      mapping.name = "notes"
      mapping.userInfo = ["unit": "m"]
      bindings[NSMigrationEntityMappingKey] = mapping
      bindings[NSMigrationPropertyMappingKey] = NSPropertyMapping("title", nil)
      #expect(value(NSExpression(format: "$entityMapping.name")) as? String == "notes")
      #expect(value(NSExpression(format: "$entityMapping.userInfo.unit")) as? String == "m")
      #expect(value(NSExpression(format: "$propertyMapping.name")) as? String == "title")
      #expect(
        value(MappingFunction.destinationInstances("m", of: MappingFunction.source("tags"))) as? [String]
          == ["a", "b", "m"])
      #expect(
        value(MappingFunction.destinationInstances("m", of: MappingFunction.source("folder"))) as? [String]
          == ["F", "m"])
      // Only objects of the entity itself: each entity has its own mapping.
      let all = value(MappingFunction.objects(of: "Note")) as? [NSManagedObject]
      #expect(all?.count == 2)
      let few = value(MappingFunction.objects(of: "Note", where: "title != nil AND stars > 3")) as? [NSManagedObject]
      #expect(few == [note])
    }
  }
}
