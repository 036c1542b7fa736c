import CoreData
import Foundation
import Testing

/// Nothing that reads, copies or shows objects walks a chain of them by recursion.
@Suite(.serialized) struct ChainReadingTests {
  @Test func readingAlongLongPaths() async {
    await #expect(processExitsWith: .success) {
      Chain.onSmallStack {
        let context = try Chain.context()
        try context.performAndWait {
          let steps = min(10_000, Chain.length - 1)
          Chain.make(.next, context)
          try context.save()
          context.reset()
          let path = Array(repeating: "next", count: steps).joined(separator: ".")
          let request = NSFetchRequest<NSManagedObject>(entityName: "Node")
          request.relationshipKeyPathsForPrefetching = [Array(repeating: "next", count: 300).joined(separator: ".")]
          _ = try context.fetch(request)
          let first = try Chain.first(context, .next)
          Chain.require(first.value(forKeyPath: path + ".name") as? String == "\(steps)", "the path leads elsewhere")
          first.setValue("there", forKeyPath: path + ".name")
          Chain.require(first.value(forKeyPath: path + ".name") as? String == "there", "the path leads elsewhere")
          let set = NSSet(object: first)
          Chain.require((set.value(forKeyPath: path + ".name") as? NSSet)?.count == 1, "the path leads elsewhere")
          _ = first.description
          _ = first.debugDescription
          _ = "\(context) \(context.registeredObjects.first as Any)"
          _ = first.changedValues()
          _ = first.committedValues(forKeys: nil)
          _ = first.objectIDs(forRelationshipNamed: "children")
          try first.validateForUpdate()
        }
      }
    }
  }

  /// A path of many steps in a predicate gives objects or an error.
  @Test func longPathsInPredicates() async {
    await #expect(processExitsWith: .success) {
      Chain.onSmallStack {
        for type in [NSSQLiteStoreType, NSInMemoryStoreType] {
          let context = try Chain.context(type: type)
          try context.performAndWait {
            Chain.make(.next, context, 100)
            for isSaved in [false, true] {
              if isSaved { try context.save() }
              for steps in [10, 1_000, 10_000] {
                for key in ["next", "children"] {
                  let path = Array(repeating: key, count: steps).joined(separator: ".")
                  let request = NSFetchRequest<NSManagedObject>(entityName: "Node")
                  request.predicate = NSPredicate(format: (key == "next" ? "" : "ANY ") + path + ".name == 'x'")
                  _ = try? context.fetch(request)
                  request.predicate = nil
                  request.sortDescriptors = [NSSortDescriptor(key: path + ".name", ascending: true)]
                  if key == "next" { _ = try? context.fetch(request) }
                  request.sortDescriptors = nil
                  request.relationshipKeyPathsForPrefetching = [path]
                  _ = try? context.fetch(request)
                }
              }
            }
          }
        }
      }
    }
  }

  @Test func resultsOfChains() async {
    await #expect(processExitsWith: .success) {
      Chain.onSmallStack {
        let context = try Chain.context()
        try context.performAndWait {
          Chain.make(.parent, context)
          let request = NSFetchRequest<NSManagedObject>(entityName: "Node")
          request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
          let controller = NSFetchedResultsController(
            fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: nil, cacheName: nil)
          try controller.performFetch()
          try context.save()
          for object in controller.fetchedObjects ?? [] { object.setValue("n", forKey: "name") }
          context.processPendingChanges()
          context.refreshAllObjects()
        }
      }
    }
  }

  @Test(arguments: [NSXMLStoreType, NSBinaryStoreType, NSInMemoryStoreType])
  func chainsInAtomicStores(_ type: String) async throws {
    await #expect(processExitsWith: .success) { [type] in
      Chain.onSmallStack {
        let file = try TestModel.temporaryFile("Store")
        defer { try? FileManager.default.removeItem(at: file.deletingLastPathComponent()) }
        for link in [Chain.Link.next, .children, .parts] {
          let url = file.appendingPathExtension("\(link)")
          let context = try Chain.context(type: type, url: url)
          try context.performAndWait {
            Chain.make(link, context)
            try context.save()
            context.reset()
            Chain.walk(try Chain.first(context, link), link)
            context.reset()
          }
          guard type != NSInMemoryStoreType else { continue }
          let again = try Chain.context(type: type, url: url)
          try again.performAndWait {
            Chain.require(Chain.walk(try Chain.first(again, link), link) == Chain.length, "\(link) is shorter")
          }
        }
      }
    }
  }

  @Test func chainsMoveFromStoreToStore() async {
    await #expect(processExitsWith: .success) {
      Chain.onSmallStack {
        let file = try TestModel.temporaryFile("Store")
        defer { try? FileManager.default.removeItem(at: file.deletingLastPathComponent()) }
        for link in [Chain.Link.next, .children, .parts] {
          var type = NSSQLiteStoreType
          let context = try Chain.context(url: file.appendingPathExtension("\(link)"))
          try context.performAndWait {
            Chain.make(link, context)
            try context.save()
            context.reset()
          }
          let coordinator = context.persistentStoreCoordinator!
          for next in [NSXMLStoreType, NSBinaryStoreType, NSSQLiteStoreType] {
            type += next
            _ = try coordinator.migratePersistentStore(
              coordinator.persistentStores[0], to: file.appendingPathExtension("\(link)\(type)"), options: nil,
              withType: next)
          }
          try context.performAndWait {
            Chain.require(Chain.walk(try Chain.first(context, link), link) == Chain.length, "\(link) is shorter")
          }
        }
      }
    }
  }

  @Test func batchDeletionAndMappingOfChains() async {
    await #expect(processExitsWith: .success) {
      Chain.onSmallStack {
        let file = try TestModel.temporaryFile("Store")
        defer { try? FileManager.default.removeItem(at: file.deletingLastPathComponent()) }
        for link in [Chain.Link.next, .children, .parts] {
          let model = Chain.model()
          let url = file.appendingPathExtension("\(link)")
          let context = try Chain.context(model, url: url)
          try context.performAndWait {
            Chain.make(link, context)
            try context.save()
          }
          let other = Chain.model()
          other.entitiesByName["Node"]?.properties.append(TestModel.attribute("more", .stringAttributeType))
          let mapping = try NSMappingModel.inferredMappingModel(forSourceModel: model, destinationModel: other)
          let target = url.appendingPathExtension("migrated")
          try NSMigrationManager(sourceModel: model, destinationModel: other).migrateStore(
            from: url, sourceType: NSSQLiteStoreType, options: nil, with: mapping, toDestinationURL: target,
            destinationType: NSSQLiteStoreType, destinationOptions: nil)
          let migrated = try Chain.context(other, url: target)
          try migrated.performAndWait {
            let first = try Chain.first(migrated, link)
            Chain.require(Chain.walk(first, link) == Chain.length, "\(link) is shorter")
            let deletion = NSBatchDeleteRequest(objectIDs: [first.objectID])
            deletion.resultType = .resultTypeCount
            let result = try migrated.execute(deletion) as? NSBatchDeleteResult
            Chain.require(result != nil, "nothing was deleted")
          }
        }
      }
    }
  }
}
