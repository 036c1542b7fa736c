import CoreData
import Foundation
import Synchronization
import Testing

@_spi(Store) @testable import OpenCoreData

/// A merge of what another coordinator has saved, at the moment when a save of this one is committed and its rows are not
/// in the row cache yet: those rows are older than what is merged.
@Suite struct ForeignMergeBesideSaveTests {
  /// Runs once, on a thread of its own: the one that saves has the writer's lock, and might ask the writer.
  private final class Once: Sendable {
    private let isOver = Atomic(false)
    private let problem = Mutex<(any Error)?>(nil)

    func run(_ body: @escaping @Sendable () throws -> Void) {
      if isOver.exchange(true, ordering: .acquiringAndReleasing) { return }
      let isDone = DispatchSemaphore(value: 0)
      Thread.detachNewThread {
        do { try body() } catch { self.problem.withLock { $0 = error } }
        isDone.signal()
      }
      isDone.wait()
    }

    func end() throws {
      let isOver = isOver.load(ordering: .acquiring)
      #expect(isOver)
      if let error = problem.withLock({ $0 }) { throw error }
    }
  }

  /// - Parameter holdsObject: whether the context that merges has the object's values before, or a fault.
  @Test(arguments: [true, false]) func showsTheLaterRow(holdsObject: Bool) throws {
    let url = try TestModel.temporaryFile()
    let coordinator = try TestModel.coordinator(TestModel.library(), url: url)
    let foreign = TestModel.context(try TestModel.coordinator(TestModel.library(), url: url))
    let saving = TestModel.context(coordinator), merging = TestModel.context(coordinator)
    let store = try #require(coordinator.persistentStores.first as? SQLiteStore)
    let object = try saving.performAndWait {
      let object = saving.make("Author", ["name": "A", "age": 1])
      try saving.save()
      return object
    }
    let id = object.objectID
    let held = try merging.performAndWait {
      let there = try merging.existingObject(with: id)
      if !holdsObject { merging.refresh(there, mergeChanges: false) }
      return there
    }
    defer { withExtendedLifetime(held) {} }

    let once = Once()
    store.writer.observeCommits {
      once.run {
        let uri = try foreign.performAndWait {
          let author = try #require(try foreign.all("Author").first)
          #expect(author.value(forKey: "age") as? Int == 2)
          author.setValue(3, forKey: "age")
          try foreign.save()
          return author.objectID.uriRepresentation()
        }
        NSManagedObjectContext.mergeChanges(fromRemoteContextSave: [NSUpdatedObjectsKey: [uri]], into: [merging])
        if holdsObject { #expect(age(id, merging) == 3) }
      }
    }
    try saving.performAndWait {
      object.setValue(2, forKey: "age")
      try saving.save()
    }
    try once.end()
    #expect(age(id, merging) == 3)
    merging.performAndWait {
      merging.mergeChanges(
        fromContextDidSave: Notification(
          name: .NSManagedObjectContextDidSave, object: saving, userInfo: [NSUpdatedObjectsKey: Set([object])]))
    }
    #expect(age(id, merging) == 3)
    merging.performAndWait { merging.refresh(merging.object(with: id), mergeChanges: false) }
    #expect(age(id, merging) == 3)
  }

  private func age(_ id: NSManagedObjectID, _ context: NSManagedObjectContext) -> Int? {
    context.performAndWait { context.object(with: id).value(forKey: "age") as? Int }
  }
}
