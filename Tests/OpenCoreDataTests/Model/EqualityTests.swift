import Foundation
import OpenCocoaFoundation
import Testing

import class OpenCocoaFoundation.NSExpression

@_spi(Store) @testable import OpenCoreData

/// Every change to a description makes it another one, and survives copying and archiving.
@Suite struct EqualityTests {
  private struct Change: Sendable {
    let name: String
    let apply: @Sendable (NSManagedObjectModel) -> Void
  }

  private static func person(_ name: String, _ apply: @escaping @Sendable (NSEntityDescription) -> Void) -> Change {
    Change(name: name) { $0.entitiesByName["Person"].map(apply) }
  }

  private static func attribute<T: NSPropertyDescription>(
    _ name: String, _ property: String, _ type: T.Type, _ apply: @escaping @Sendable (T) -> Void
  ) -> Change {
    Change(name: name) { model in
      for entity in model.entities {
        if let found = entity.declaredProperties.first(where: { $0.name == property }) as? T { apply(found) }
      }
    }
  }

  private static func template(_ name: String, _ apply: @escaping @Sendable (inout FetchRequestTemplate) -> Void)
    -> [Change]
  {
    [
      Change(name: "template " + name) { model in
        if var template = model.templates["byName"] {
          apply(&template)
          model.templates["byName"] = template
        }
      },
      attribute("fetched " + name, "namesakes", NSFetchedPropertyDescription.self) { property in
        if var template = property.template {
          apply(&template)
          property.template = template
        }
      },
    ]
  }

  private static let entityChanges: [Change] = [
    person("class") { $0.managedObjectClassName = "Other" }, person("abstract") { $0.isAbstract = false },
    person("renaming") { $0.renamingIdentifier = "Other" }, person("modifier") { $0.versionHashModifier = nil },
    person("user info") { $0.userInfo?["size"] = 4 }, person("constraints") { $0.uniquenessConstraints = [["name"]] },
    person("compound indexes") { $0.compoundIndexes = [] }, person("indexes") { $0.indexes = [] },
    person("properties") { $0.properties.removeAll { $0.name == "born" } },
    person("subentities") { $0.subentities = [] },
    person("index name") { $0.indexes[0].name = "other" },
    person("index condition") { $0.indexes[0].partialIndexPredicate = NSPredicate(format: "age >= 21") },
    person("no index condition") { $0.indexes[0].partialIndexPredicate = nil },
    person("index kind") { $0.indexes[0].elements[1].collationType = .rTree },
    person("index order") { $0.indexes[0].elements[0].isAscending = true },
    person("index expression") { ($0.indexes[0].elements[2].property as? NSExpressionDescription)?.expression = nil },
    person("index elements") { $0.indexes[0].elements.removeLast() },
    Change(name: "configuration") { $0.setEntities([], forConfigurationName: "Animals") },
    Change(name: "new configuration") { $0.setEntities($0.entities, forConfigurationName: "All") },
    Change(name: "no template") { $0.setFetchRequestTemplate(nil, forName: "byName") },
  ]

  private static let attributeChanges: [Change] = [
    attribute("name", "age", NSAttributeDescription.self) { $0.name = "years" },
    attribute("optional", "name", NSAttributeDescription.self) { $0.isOptional = true },
    attribute("transient", "color", NSAttributeDescription.self) { $0.isTransient = false },
    attribute("indexed", "name", NSAttributeDescription.self) { $0.isIndexed = false },
    attribute("user info", "name", NSAttributeDescription.self) { $0.userInfo = [:] },
    attribute("list in user info", "name", NSAttributeDescription.self) { $0.userInfo?["list"] = [1, "b"] as [Any] },
    attribute("modifier", "name", NSAttributeDescription.self) { $0.versionHashModifier = nil },
    attribute("renaming", "name", NSAttributeDescription.self) { $0.renamingIdentifier = nil },
    attribute("type", "age", NSAttributeDescription.self) { $0.attributeType = .integer32AttributeType },
    attribute("class", "color", NSAttributeDescription.self) { $0.attributeValueClassName = "Colour" },
    attribute("default", "age", NSAttributeDescription.self) { $0.defaultValue = 8 },
    attribute("external", "data", NSAttributeDescription.self) { $0.allowsExternalBinaryDataStorage = false },
    attribute("preserved", "name", NSAttributeDescription.self) { $0.preservesValueInHistoryOnDeletion = false },
    attribute("encryption", "name", NSAttributeDescription.self) { $0.allowsCloudEncryption = false },
    attribute("transformer", "color", NSAttributeDescription.self) { $0.valueTransformerName = nil },
    attribute("minimum", "age", NSAttributeDescription.self) { $0.limits.minimum = 1 },
    attribute("latest", "born", NSAttributeDescription.self) { $0.limits.latest = nil },
    attribute("pattern", "name", NSAttributeDescription.self) { $0.limits.pattern = "." },
    attribute("predicates", "name", NSAttributeDescription.self) {
      $0.storedValidationPredicates[0] = NSPredicate(format: "SELF != 'y'")
    },
    attribute("warnings", "name", NSAttributeDescription.self) { $0.storedValidationWarnings[0] = "other" },
    attribute("warning number", "name", NSAttributeDescription.self) { $0.storedValidationWarnings[0] = 1670 },
    attribute("filter", "petCount", NSDerivedAttributeDescription.self) {
      $0.filteringPredicate = NSPredicate(format: "age > 3")
    },
    attribute("derivation", "petCount", NSDerivedAttributeDescription.self) {
      $0.derivationExpression = NSExpression(forFunction: "now", arguments: [])
    },
    attribute("element", "place", NSCompositeAttributeDescription.self) { $0.elements[0].name = "north" },
    attribute("element limits", "place", NSCompositeAttributeDescription.self) { $0.elements[0].limits.maximum = 80 },
    attribute("elements", "place", NSCompositeAttributeDescription.self) { $0.elements.removeLast() },
  ]

  private static let relationshipChanges: [Change] = [
    attribute("destination", "pets", NSRelationshipDescription.self) {
      $0.destinationEntity = $0.entity
      $0.inverseRelationship = nil
    },
    attribute("inverse", "pets", NSRelationshipDescription.self) { $0.inverseRelationship = nil },
    attribute("max", "pets", NSRelationshipDescription.self) { $0.maxCount = 0 },
    attribute("min", "pets", NSRelationshipDescription.self) { $0.minCount = 0 },
    attribute("rule", "owner", NSRelationshipDescription.self) { $0.deleteRule = .noActionDeleteRule },
    attribute("ordered", "pets", NSRelationshipDescription.self) { $0.isOrdered = false },
    attribute("no request", "namesakes", NSFetchedPropertyDescription.self) { $0.fetchRequest = nil },
  ]

  private static let templateChanges: [Change] = [
    template("entity") { $0.entityName = "Pet" },
    template("predicate") { $0.predicate = NSPredicate(format: "name == $OTHER") },
    template("no predicate") { $0.predicate = nil },
    template("sort descriptors") { $0.sortDescriptors = [NSSortDescriptor(key: "other", ascending: true)] },
    template("limit") { $0.fetchLimit = 99 }, template("offset") { $0.fetchOffset = 99 },
    template("batch size") { $0.fetchBatchSize = 99 }, template("result type") { $0.resultType = .countResultType },
    template("subentities") { $0.includesSubentities.toggle() },
    template("property values") { $0.includesPropertyValues.toggle() },
    template("pending changes") { $0.includesPendingChanges.toggle() },
    template("faults") { $0.returnsObjectsAsFaults.toggle() },
    template("distinct") { $0.returnsDistinctResults.toggle() },
    template("prefetching") { $0.relationshipKeyPathsForPrefetching = ["owner"] },
  ].flatMap { $0 }

  @Test func everyChangeIsSeenAndKept() throws {
    let model = EverythingModel.make()
    for change in Self.entityChanges + Self.attributeChanges + Self.relationshipChanges + Self.templateChanges {
      let changed = try #require(model.copy() as? NSManagedObjectModel)
      #expect(changed == model && model == changed, "\(change.name)")
      change.apply(changed)
      #expect(changed != model && model != changed, "\(change.name)")
      #expect(changed.copy() as? NSManagedObjectModel == changed, "\(change.name)")
      for layout in [ModelEncoder.Layout.cache, .compiled] {
        let read = NSManagedObjectModel()
        try ModelDecoder.decode(ModelEncoder.encode(changed, as: layout), into: read)
        #expect(read == changed && read != model, "\(change.name), \(layout)")
        #expect(read.entityVersionHashesByName == changed.entityVersionHashesByName, "\(change.name)")
      }
    }
  }

  @Test func whatNoEqualityCountsIsKept() throws {
    let model = EverythingModel.make()
    let read = NSManagedObjectModel()
    try ModelDecoder.decode(ModelEncoder.encode(model, as: .compiled), into: read)
    for other in [read, try #require(model.copy() as? NSManagedObjectModel)] {
      #expect(other.versionIdentifiers == model.versionIdentifiers)
      #expect(other.localizationDictionary == model.localizationDictionary)
    }
    // The same model gives the same bytes again.
    #expect(try ModelEncoder.encode(read, as: .compiled) == ModelEncoder.encode(model, as: .compiled))
  }

  @Test func expressionDescriptions() throws {
    let description = NSExpressionDescription()
    description.name = "oldest"
    description.expression = NSExpression(forFunction: "max:", arguments: [NSExpression(forKeyPath: "age")])
    description.expressionResultType = .integer16AttributeType
    #expect(description.resultType == .integer16)
    let changes: [(NSExpressionDescription) -> Void] = [
      { $0.resultType = .date }, { $0.expression = nil }, { $0.name = "other" },
    ]
    for change in changes {
      let copy = try #require(description.copy() as? NSExpressionDescription)
      #expect(copy == description && copy.versionHash == description.versionHash)
      change(copy)
      #expect(copy != description && copy.versionHash != description.versionHash)
    }
  }

  @Test func expressionDescriptionsAreNoProperties() async {
    await #expect(processExitsWith: .failure) {
      NSEntityDescription().properties = [NSExpressionDescription()]
    }
  }
}
