import CoreData
import Foundation
import Synchronization
import Testing

@_spi(Store) @testable import OpenCoreData

/// The sanitizer reports what is wrong: without these, a run that reports nothing would say nothing.
@Suite struct RaceTests {
  /// The sanitizer ends a process that had a race with this code.
  private static let reported: ExitTest.Condition = .exitCode(66)

  /// A lock of somebody else's that both threads happen to take orders them in one round, not in all.
  private static let rounds = 20

  private static func context() throws -> NSManagedObjectContext {
    let name = NSAttributeDescription()
    name.name = "name"
    name.attributeType = .stringAttributeType
    name.isOptional = true
    let entity = NSEntityDescription()
    entity.name = "Item"
    entity.properties = [name]
    let model = NSManagedObjectModel()
    model.entities = [entity]
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    try coordinator.addPersistentStore(ofType: NSInMemoryStoreType, configurationName: nil, at: nil)
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    return context
  }

  private static func insert(into context: NSManagedObjectContext) -> NSManagedObject {
    NSEntityDescription.insertNewObject(forEntityName: "Item", into: context)
  }

  // MARK: A context off its queue

  /// Runs `body` on two threads, one after the other, with nothing that orders them for the sanitizer: relaxed atomics.
  private static func onTwoThreads(_ body: @escaping @Sendable (NSManagedObjectContext) -> Void) throws {
    let context = try context(), turn = Turn()
    for number in 0..<2 {
      Thread.detachNewThread {
        turn.wait(for: number)
        body(context)
        turn.end()
      }
    }
    turn.wait(for: 2)
  }

  private final class Turn: Sendable {
    private let number = Atomic(0)

    func wait(for wanted: Int) { while number.load(ordering: .relaxed) < wanted { usleep(100) } }

    func end() { number.wrappingAdd(1, ordering: .relaxed) }
  }

  @Test func aContextOnTwoThreadsIsReported() async {
    await #expect(processExitsWith: RaceTests.reported) {
      // Inserting ends with an atomic, which orders it; what comes after is ordered by nothing.
      for _ in 0..<RaceTests.rounds {
        try RaceTests.onTwoThreads { context in
          _ = RaceTests.insert(into: context)
          context.shouldDeleteInaccessibleFaults.toggle()
        }
      }
    }
  }

  /// The same on the context's queue: what is reported above is not the way it is tested.
  @Test func aContextOnItsQueueIsNot() async {
    await #expect(processExitsWith: .success) {
      for _ in 0..<RaceTests.rounds {
        try RaceTests.onTwoThreads { context in
          context.performAndWait {
            _ = RaceTests.insert(into: context)
            context.shouldDeleteInaccessibleFaults.toggle()
          }
        }
      }
    }
  }

  // MARK: Objects that are released off their queue

  private final class Holder: @unchecked Sendable {  // in one hand at a time
    var objects: [NSManagedObject] = []
  }

  /// Releases objects on another thread, and later inserts others here, with nothing but locks to order the two.
  private static func releaseOnAnotherThread() throws {
    let context = try context(), holder = Holder()
    try context.performAndWait {
      holder.objects = (0..<10).map { _ in insert(into: context) }
      try context.save()
    }
    let turn = Turn()
    Thread.detachNewThread {
      holder.objects = []
      turn.end()
      // The end of a thread would order the two, by locks of Foundation's.
      turn.wait(for: 2)
    }
    turn.wait(for: 1)
    context.performAndWait { for _ in 0..<10 { _ = insert(into: context) } }
    turn.end()
  }

  @Test func releasesWithoutALockAreReported() async {
    await #expect(processExitsWith: RaceTests.reported) {
      SanitizedMutex.isOff = true
      for _ in 0..<RaceTests.rounds { try RaceTests.releaseOnAnotherThread() }
    }
  }

  @Test func releasesWithOneAreNot() async {
    await #expect(processExitsWith: .success) {
      for _ in 0..<RaceTests.rounds { try RaceTests.releaseOnAnotherThread() }
    }
  }
}
