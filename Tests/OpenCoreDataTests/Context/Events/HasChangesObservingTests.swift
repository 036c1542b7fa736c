import CoreData
import Testing

@testable import OpenCoreData

/// Key-value observing of a context's `hasChanges`.
@Suite struct HasChangesObservingTests {
  /// Calls `body` with a context whose `hasChanges` is observed, and a function that gives the new values told since its last call.
  private func observing(
    _ store: TestStore, _ body: (NSManagedObjectContext, () -> [Bool]) throws -> Void
  ) throws {
    try EventWorld.inContext(store) { context, _ in
      var told: [Bool] = []
      let observation = context.observe(\.hasChanges, options: [.old, .new]) { context, change in
        #expect(change.newValue == context.hasChanges && change.oldValue == !context.hasChanges)
        told += [context.hasChanges]
      }
      try body(context) {
        defer { told = [] }
        return told
      }
      observation.invalidate()
      _ = context.make("Owner", ["name": "Late"])
      context.processPendingChanges()
      #expect(told.isEmpty)
    }
  }

  @Test(arguments: TestStore.all) func changesAndSavesAreTold(_ store: TestStore) throws {
    try observing(store) { context, told in
      let ada = try context.named("Ada", "Owner")
      ada.setValue("Ada B", forKey: "name")
      #expect(told() == [])
      context.processPendingChanges()
      #expect(told() == [true])
      ada.setValue("Ada C", forKey: "name")
      _ = context.make("Owner", ["name": "Cid"])
      context.processPendingChanges()
      #expect(told() == [])
      try context.save()
      #expect(told() == [false])
      context.delete(ada)
      try context.save()
      #expect(told() == [true, false])
    }
  }

  @Test(arguments: TestStore.all) func whatIsTakenBackIsTold(_ store: TestStore) throws {
    try observing(store) { context, told in
      let ada = try context.named("Ada", "Owner")
      ada.setValue("Ada B", forKey: "name")
      context.processPendingChanges()
      context.rollback()
      #expect(told() == [true, false])
      ada.setValue("Ada C", forKey: "name")
      context.processPendingChanges()
      context.refresh(ada, mergeChanges: false)
      context.processPendingChanges()
      #expect(told() == [true, false])
      ada.setValue("Ada D", forKey: "name")
      context.processPendingChanges()
      context.reset()
      #expect(told() == [true, false])
      context.delete(context.make("Owner", ["name": "Nobody"]))
      context.processPendingChanges()
      #expect(told() == [])
    }
  }

  @Test(arguments: TestStore.all) func undoIsTold(_ store: TestStore) throws {
    try observing(store) { context, told in
      let manager = UndoManager()
      manager.groupsByEvent = false
      context.undoManager = manager
      manager.beginUndoGrouping()
      _ = context.make("Owner", ["name": "Eve"])
      context.processPendingChanges()
      manager.endUndoGrouping()
      #expect(told() == [true])
      context.undo()
      context.processPendingChanges()
      #expect(told() == [false])
      context.redo()
      context.processPendingChanges()
      #expect(told() == [true])
    }
  }

  @Test(arguments: TestStore.all) func aChildsSaveIsToldByItsParent(_ store: TestStore) throws {
    try observing(store) { context, told in
      let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
      child.parent = context
      try child.performAndWait {
        var ofChild: [Bool] = []
        let observation = child.observe(\.hasChanges) { child, _ in ofChild += [child.hasChanges] }
        _ = child.make("Owner", ["name": "Kim"])
        try child.save()
        observation.invalidate()
        #expect(ofChild == [true, false])
      }
      context.processPendingChanges()
      #expect(told() == [true])
    }
  }

  @Test(arguments: TestStore.all) func aSaveThatFailsTellsNothing(_ store: TestStore) throws {
    let title = TestModel.attribute("title", .stringAttributeType)
    title.isOptional = false
    let model = NSManagedObjectModel()
    model.entities = [TestModel.entity("Item", [title])]
    try store.coordinator(model).inContext { context in
      var told: [Bool] = []
      let observation = context.observe(\.hasChanges) { context, _ in told += [context.hasChanges] }
      let item = context.make("Item", [:])
      context.processPendingChanges()
      #expect(throws: CocoaError.self) { try context.save() }
      #expect(told == [true])
      item.setValue("Kept", forKey: "title")
      try context.save()
      #expect(told == [true, false])
      observation.invalidate()
    }
  }

  @Test func theValueIsFoundByItsKey() throws {
    try EventWorld.inContext(.sqlite) { context, _ in
      #expect(context.value(forKey: "hasChanges") as? Bool == false)
      _ = context.make("Owner", ["name": "Ann"])
      #expect(context.value(forKey: "hasChanges") as? Bool == true)
    }
  }

  /// Other keys of a context may be observed on any thread: only `hasChanges` follows the context's objects.
  @Test func anotherKeyLeavesTheContextAlone() throws {
    try EventWorld.inContext(.sqlite) { context, _ in
      let observer = NoteTaker()
      context.addObserver(observer, forKeyPath: "name", context: nil)
      #expect(context.notices.hasChangesObserving == nil)
      let observation = context.observe(\.hasChanges) { _, _ in }
      #expect(context.notices.hasChangesObserving != nil)
      observation.invalidate()
      #expect(context.notices.hasChangesObserving == nil)
      context.removeObserver(observer, forKeyPath: "name", context: nil)
    }
  }

  private final class NoteTaker: NSObject, NSKeyValueObserving {
    func observeValue(
      forKeyPath keyPath: String?, of object: Any?, change: [NSKeyValueChangeKey: Any]?,
      context: UnsafeMutableRawPointer?
    ) {}
  }

  @Test func anObserverMaySave() throws {
    try EventWorld.inContext(.sqlite) { context, _ in
      let observation = context.observe(\.hasChanges) { context, _ in
        guard context.hasChanges else { return }
        #expect(throws: Never.self) { () throws in try context.save() }
      }
      _ = context.make("Owner", ["name": "Kept"])
      context.processPendingChanges()
      #expect(!context.hasChanges)
      let names = try context.names("Owner")
      #expect(names.contains("Kept"))
      observation.invalidate()
    }
  }
}
