import CoreData
import Foundation
import Testing

@_spi(Store) @testable import OpenCoreData

/// Neighbouring versions of applications' models, filled with objects and migrated by a manager with the inferred mapping
/// model: every value and every member is looked at.
@Suite(.enabled(if: Corpus.isThere, "the corpus is not there"))
struct MigrationCorpusRunTests {
  /// Compares what was made with what the inferred migration says.
  final class ComparingPolicy: NSEntityMigrationPolicy {
    override func performCustomValidation(forMapping mapping: NSEntityMapping, manager: NSMigrationManager) throws {
      guard let migration = manager.userInfo?["migration"] as? InferredMigration,
        let differences = manager.userInfo?["differences"] as? NSMutableArray,
        let entity = migration.entities.first(where: {
          $0.source?.name == mapping.sourceEntityName && $0.destination?.name == mapping.destinationEntityName
        }), entity.keepsRows
      else { return }
      let request = NSFetchRequest<NSManagedObject>(entityName: entity.source?.name ?? "")
      request.includesSubentities = false
      for source in try manager.sourceContext.fetch(request) {
        let made = manager.destinationInstances(forEntityMappingName: mapping.name, sourceInstances: [source])
        guard made.count == 1 else {
          differences.add("\(mapping.name ?? ""): \(made.count) objects of one")
          continue
        }
        (manager.userInfo?["compared"] as? NSMutableArray)?.add(1)
        for attribute in entity.attributes where !attribute.isDerived && attribute.destination.isSettable {
          let value = try attribute.value(of: attribute.source.flatMap { source.value(forKey: $0.name) })
          let bare = NSManagedObject(entity: made[0].entity, insertInto: nil)
          bare.setValue(value, forKey: attribute.destination.name)
          let expected = bare.value(forKey: attribute.destination.name)
          let found = made[0].value(forKey: attribute.destination.name)
          // Here is no transformer of the new name: the bytes are the same.
          if let from = attribute.source.flatMap({ source.layout.slot(named: $0.name) }),
            let to = made[0].layout.slot(named: attribute.destination.name), made[0].isUndecodable(to)
          {
            if source.currentValue(from).isSame(as: made[0].currentValue(to)) { continue }
          }
          if text(expected) != text(found) {
            differences.add("\(entity.name).\(attribute.path): \(text(found)), not \(text(expected))")
          }
        }
        for relationship in entity.relationships {
          guard let before = relationship.source else { continue }
          let names = manager.mappingModel.entityMappings.map { $0.name ?? "" }
          let expected = members(source.value(forKey: before.name)).flatMap { member in
            names.flatMap { manager.destinationInstances(forEntityMappingName: $0, sourceInstances: [member]) }
          }
          let found = members(made[0].value(forKey: relationship.destination.name))
          let isOrdered = relationship.destination.isOrdered && before.isOrdered
          if isOrdered ? found != expected : Set(found) != Set(expected) {
            differences.add("\(entity.name).\(relationship.destination.name): \(found.count), not \(expected.count)")
          }
        }
      }
    }

    private func text(_ value: Any?) -> String { StoredValue.unwrapped(value).map { "\(type(of: $0)) \($0)" } ?? "nil" }

    private func members(_ value: Any?) -> [NSManagedObject] { MappedMembers.objects(value) ?? [] }
  }

  /// Six objects of each entity, with values for all attributes and members for relationships.
  private func fill(_ context: NSManagedObjectContext, _ model: NSManagedObjectModel, _ random: inout SeededGenerator) {
    var objects: [NSManagedObject] = []
    for entity in model.entities.sorted(by: { $0.name ?? "" < $1.name ?? "" }) where !entity.isAbstract {
      for _ in 0..<6 {
        let object = NSManagedObject(entity: entity, insertInto: context)
        objects.append(object)
        for attribute in entity.attributesByName.values.sorted(by: { $0.name < $1.name }) where attribute.isSettable {
          if attribute.attributeType == .transformableAttributeType, attribute.valueTransformerName != nil { continue }
          if attribute.isOptional, objects.count % 6 == 5 { continue }
          if let value = SampleValues.make(attribute, objects.count) { object.setValue(value, forKey: attribute.name) }
        }
      }
    }
    for object in objects {
      for relationship in object.entity.relationshipsByName.values.sorted(by: { $0.name < $1.name }) {
        guard !relationship.isTransient, let target = relationship.destinationEntity else { continue }
        let candidates = objects.filter { $0.entity.isKindOf(entity: target) }.shuffled(using: &random)
        let members = MappedMembers.objects(object.value(forKey: relationship.name)) ?? []
        if !members.isEmpty || candidates.isEmpty { continue }
        if !relationship.isToMany {
          object.setValue(candidates[0], forKey: relationship.name)
        } else {
          let some = Array(candidates.prefix(relationship.maxCount > 0 ? min(2, relationship.maxCount) : 2))
          object.setValue(
            relationship.isOrdered ? NSOrderedSet(array: some) : NSSet(array: some), forKey: relationship.name)
        }
      }
    }
  }

  @Test func everyPairThatIsInferred() throws {
    NSEntityMigrationPolicy.register(ComparingPolicy.self, forName: "ComparingPolicyOfTests")
    var random = SeededGenerator(for: "corpus migrations")
    var (inferred, migrated, objects) = (0, 0, 0)
    for pair in try CorpusVersions.pairs() {
      let migration = InferredMigration(from: pair.before, to: pair.after)
      guard migration.entities.contains(where: { $0.source != nil && $0.destination != nil }),
        migration.obstacles.isEmpty
      else { continue }
      inferred += 1
      let stores = try MigrationStores(PlainModel.of(pair.before), pair.after)
      defer { try? FileManager.default.removeItem(at: stores.folder) }
      try stores.fill { context in
        // What the generated objects lack, the migration must find.
        context.saving.validates = false
        fill(context, stores.models.source, &random)
      }
      let mapping = try stores.inferred()
      for mapping in mapping.entityMappings { mapping.entityMigrationPolicyClassName = "ComparingPolicyOfTests" }
      let manager = stores.manager()
      let (differences, compared) = (NSMutableArray(), NSMutableArray())
      manager.userInfo = ["migration": migration, "differences": differences, "compared": compared]
      do {
        try stores.migrate(mapping, by: manager)
        migrated += 1
        #expect(try StoreCheck.errors(stores.destination, model: pair.after) == [], "\(pair.name)")
      } catch let error as NSError {
        print("not migrated, \(pair.name): \(error.localizedDescription)")
        #expect([134110, 134111].contains(error.code) && error.userInfo["entity"] != nil, "\(pair.name): \(error)")
        #expect(try stores.newFiles() == [], "\(pair.name)")
      }
      objects += compared.count
      #expect(differences.count == 0, "\(pair.name): \(differences.prefix(5))")
    }
    print("\(inferred) pairs of versions are inferred, \(migrated) were migrated, \(objects) objects compared")
    #expect(migrated * 10 > inferred * 8 && objects > 1000)
  }
}
