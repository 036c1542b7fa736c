import CoreData
import Testing

@_spi(Store) @testable import OpenCoreData

/// What the history says of batch requests.
@Suite struct BatchHistoryTests {
  private func coordinator(_ model: NSManagedObjectModel, _ url: URL) throws -> NSPersistentStoreCoordinator {
    try HistoryModel.coordinator(url, model: model)
  }

  private func transactions(_ context: NSManagedObjectContext) throws -> [NSPersistentHistoryTransaction] {
    try context.transactions(NSPersistentHistoryChangeRequest.fetchHistory(after: nil as NSPersistentHistoryToken?))
  }

  @Test func eachBatchIsATransactionWithItsAuthor() throws {
    let url = try TestModel.temporaryFile()
    let model = BatchModel.graph { $0 == "Node.card" ? .cascadeDeleteRule : .nullifyDeleteRule }
    let coordinator = try coordinator(model, url)
    let context = TestModel.context(coordinator)
    (context.name, context.transactionAuthor) = ("Importer", "me")
    try context.performAndWait {
      _ = try context.insertBatch(NSBatchInsertRequest(entityName: "Leaf", objects: [["name": "a"], ["name": "b"]]))
      _ = try context.insertBatch(NSBatchInsertRequest(entityName: "Node", objects: [["name": "c"]]))
      _ = try context.insertBatch(NSBatchInsertRequest(entityName: "Node", objects: []))
      let c = try context.named("c", "Node")
      try context.named("a", "Node").setValue(c, forKey: "parent")
      c.setValue(context.make("Card"), forKey: "card")
      try context.save()
      let update = NSBatchUpdateRequest(entityName: "Node")
      update.propertiesToUpdate = ["age": 3]
      update.predicate = NSPredicate(format: "name != 'c'")
      _ = try context.execute(update)
      try context.deleteBatch("Node", where: "name == 'c'")
      let all = try transactions(context)
      #expect(all.count == 5)
      #expect(all.allSatisfy { $0.author == "me" && $0.contextName == "Importer" })
      func text(_ index: Int) -> [String] {
        (all[index].changes ?? []).map { change in
          let names = change.updatedProperties?.map(\.name).sorted().joined(separator: ",") ?? ""
          return "\(change.changeType.rawValue) \(change.changedObjectID.entity.name!) \(names)"
        }.sorted()
      }
      #expect(text(0) == ["0 Leaf ", "0 Leaf "] && text(1) == ["0 Node "])
      #expect(text(3) == ["1 Leaf age", "1 Leaf age"])
      #expect(text(4) == ["1 Leaf parent", "2 Card ", "2 Node "])
      let tombstone = all[4].changes?.first { $0.changeType == .delete && $0.changedObjectID.entity.name == "Node" }?
        .tombstone
      #expect(tombstone?["name"] as? String == "c")
    }
    #expect(try StoreCheck.errors(url, model: model).isEmpty)
  }

  @Test func whatAnInsertUpdatesIsAnUpdate() throws {
    let url = try TestModel.temporaryFile()
    let coordinator = try coordinator(BatchModel.products(unique: true), url)
    try coordinator.inContext { context in
      context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
      _ = try context.insertBatch(NSBatchInsertRequest(entityName: "Product", objects: [["name": "a"], ["name": "b"]]))
      _ = try context.insertBatch(
        NSBatchInsertRequest(entityName: "Product", objects: [["name": "b", "stock": 1], ["name": "c"]]))
      let changes = try #require(try transactions(context).last?.changes)
      #expect(changes.map(\.changeType).sorted { $0.rawValue < $1.rawValue } == [.insert, .update])
      #expect(changes.first { $0.changeType == .update }?.updatedProperties?.map(\.name).sorted() == ["name", "stock"])
      // What failed has left nothing.
      #expect(throws: NSError.self) {
        try context.insertBatch(NSBatchInsertRequest(entityName: "Product", objects: [["name": "d"], [:]]))
      }
      #expect(try transactions(context).count == 2)
    }
    #expect(try StoreCheck.errors(url, model: BatchModel.products(unique: true)).isEmpty)
  }
}
