import CoreData
import Foundation

extension StoreConformance {
  static let requestChecks: [StoreCheck] = [
    StoreCheck("A batch update changes what its predicate describes", needs: [.batchUpdates]) { subject in
      let stack = try subject.stack()
      let context = stack.context
      try context.performAndWait {
        for number in 1...10 { context.make("Person", ["name": "P\(number)", "age": number]) }
        try context.save()
        let request = NSBatchUpdateRequest(entityName: "Person")
        request.predicate = NSPredicate(format: "age > 4")
        request.propertiesToUpdate = ["name": "old"]
        request.resultType = .updatedObjectsCountResultType
        let result = try context.execute(request) as? NSBatchUpdateResult
        try expectEqual(result?.result as? Int, 6, "updated objects")
        context.refreshAllObjects()
        try expectEqual(try context.find("Person", "name == 'old'").count, 6, "people")
      }
    },
    StoreCheck("A batch insert makes objects of dictionaries", needs: [.batchInserts]) { subject in
      let context = try subject.stack().context
      try context.performAndWait {
        let request = NSBatchInsertRequest(
          entityName: "Person", objects: (1...10).map { ["name": "P\($0)", "age": $0] })
        request.resultType = .count
        let result = try context.execute(request) as? NSBatchInsertResult
        try expectEqual(result?.result as? Int, 10, "inserted objects")
        try expectEqual(try context.one("Person", "age == 7").value(forKey: "name") as? String, "P7", "the name")
      }
    },
    StoreCheck("A batch delete deletes what its request finds, and keeps to delete rules", needs: [.batchDeletes]) {
      subject in
      let context = try subject.stack().context
      try context.performAndWait {
        for number in 1...10 {
          let person = context.make("Person", ["name": "P\(number)", "age": number])
          person.setValue(context.make("Passport", ["number": number]), forKey: "passport")
        }
        try context.save()
        let fetch = NSFetchRequest<NSFetchRequestResult>(entityName: "Person")
        fetch.predicate = NSPredicate(format: "age > 4")
        let request = NSBatchDeleteRequest(fetchRequest: fetch)
        request.resultType = .resultTypeStatusOnly
        let result = try context.execute(request) as? NSBatchDeleteResult
        try expectEqual(result?.result as? Bool, true, "the status")
        context.reset()
        try expectEqual(try context.find("Person", by: ["age"]).count, 4, "people")
        try expectEqual(try context.find("Passport").count, 4, "passports, which go with their holders")
      }
    },
    StoreCheck("History tells what a save has changed", needs: [.history]) { subject in
      let stack = try subject.stack(options: [NSPersistentHistoryTrackingKey: true])
      let context = stack.context
      try context.performAndWait {
        let kept = context.make("Person", ["name": "kept"])
        let gone = context.make("Person", ["name": "gone"])
        try context.save()
        let token = stack.coordinator.currentPersistentHistoryToken(fromStores: nil)
        context.transactionAuthor = "check"
        kept.setValue("changed", forKey: "name")
        context.delete(gone)
        try context.save()
        let request = NSPersistentHistoryChangeRequest.fetchHistory(after: token)
        let result = try context.execute(request) as? NSPersistentHistoryResult
        let found = try unwrap(result?.result as? [NSPersistentHistoryTransaction], "the transactions")
        try expectEqual(found.map(\.author), ["check"], "the authors")
        let changes = found.flatMap { $0.changes ?? [] }
        try expectEqual(
          changes.first { $0.changedObjectID == kept.objectID }?.updatedProperties?.map(\.name), ["name"],
          "the changed properties")
        try expect(changes.contains { $0.changeType == .delete }, "no deletion among \(changes.count) changes")
      }
    },
    StoreCheck("A store can be asked what it will do for a request", needs: [.explanation]) { subject in
      let context = try subject.stack().context
      try context.performAndWait {
        let explained = try context.explain { try context.find("Person", "age > 4") }
        try expect(!explained.queries.isEmpty, "nothing was explained")
      }
    },
    StoreCheck("Sections have the names and numbers of their objects", needs: [.grouping]) { subject in
      let context = try subject.stack().context
      try context.performAndWait {
        for number in 1...9 { context.make("Person", ["name": "P\(number)", "age": number % 3]) }
        try context.save()
        let request = NSFetchRequest<NSManagedObject>(entityName: "Person")
        request.sortDescriptors = [
          NSSortDescriptor(key: "age", ascending: true), NSSortDescriptor(key: "name", ascending: false),
        ]
        let controller = NSFetchedResultsController(
          fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: "age", cacheName: nil)
        try controller.performFetch()
        let sections = try unwrap(controller.sections, "the sections")
        try expectEqual(sections.map(\.name), ["0", "1", "2"], "names")
        try expectEqual(sections.map(\.numberOfObjects), [3, 3, 3], "numbers of objects")
      }
    },
  ]
}
