#if PostgreSQL
  import CoreData
  import Foundation
  import Synchronization

  @testable import CoreDataPostgreSQL

  /// A context that changes objects of its own at random, with what they must be in memory.
  final class SoakActor: @unchecked Sendable {  // used by one thread; `progress` by any
    let name: String
    private let world: BatchWorld
    private let context: NSManagedObjectContext
    private var random: SeededGenerator
    private var next = 0
    private var saveNumber = 0
    private var ids: [String: NSManagedObjectID] = [:]
    private(set) var report = SoakReport()
    /// The time of its last step, or of the last error that it was told of, in seconds.
    let progress = Atomic<Int>(Int(Date().timeIntervalSince1970))

    /// What requests and saves may throw while connections are cut and sessions are killed.
    private static let bearable = [
      NSPersistentStoreOperationError, NSPersistentStoreTimeoutError, NSPersistentStoreSaveError, NSCoreDataError,
      NSManagedObjectMergeError,
    ]

    init(_ name: String, _ world: BatchWorld, seed: UInt64) {
      (self.name, self.world) = (name, world)
      random = SeededGenerator(seed: seed)
      context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
      context.persistentStoreCoordinator = world.coordinator
      context.automaticallyMergesChangesFromParent = seed % 2 == 0
    }

    /// Works until then, and a little in any case.
    func run(until end: Date) {
      do {
        try setUp()
        repeat {
          for _ in 0..<Int.random(in: 5...25, using: &random) { try step() }
          try look(fresh: Bool.random(using: &random))
        } while Date() < end && report.differences.isEmpty
        try look(fresh: false)
        try look(fresh: true)
      } catch {
        report.differences.append("\(name), save \(saveNumber + 1): \(error)")
      }
      report.ledgers[name] = saveNumber
    }

    private func setUp() throws {
      try save {
        for number in 0..<SoakPlan.groups { self.context.make("Group", ["tag": "\(self.name)/g\(number)"]) }
        for number in 0..<SoakPlan.marks { self.context.make("Mark", ["tag": "\(self.name)/m\(number)"]) }
        self.context.make("Ledger", ["tag": self.name])
      }
    }

    private func step() throws {
      progress.store(Int(Date().timeIntervalSince1970), ordering: .relaxed)
      let plan = SoakPlan(for: name, items: report.items, next: &next, random: &random)
      try save { try plan.make(in: self.context, find: self.find) }
      report.items = plan.applied(to: report.items)
      for number in plan.counters { report.counted[number] += 1 }
      if Int.random(in: 0..<10, using: &random) == 0 { context.performAndWait { context.refreshAllObjects() } }
      if Int.random(in: 0..<200, using: &random) == 0 { context.performAndWait { context.reset() } }
    }

    /// An object, in one of the ways in which programs find theirs.
    private func find(_ entity: String, _ tag: String) throws -> NSManagedObject {
      if let id = ids[tag], Bool.random(using: &random) { return try context.existingObject(with: id) }
      guard let object = try context.all(entity, "tag == '\(tag)'").first else {
        throw SoakFailure("there is no \(tag)")
      }
      if !object.objectID.isTemporaryID { ids[tag] = object.objectID }
      return object
    }

    // MARK: Saving

    /// Makes changes and saves them, again and again until it is done; each time it is made once or not at all.
    private func save(_ make: () throws -> Void) throws {
      let number = saveNumber + 1
      for _ in 0..<1000 {
        do {
          try context.performAndWait {
            try make()
            if number > 1 { try find("Ledger", name).setValue(number, forKey: "number") }
            for object in context.insertedObjects where SoakItem.tag(object) == name {
              object.setValue(number, forKey: "number")
            }
            do { try context.save() } catch let error as NSError {
              // Half of the contexts try the same save again before they begin anew.
              guard error.code == NSPersistentStoreOperationError, Bool.random(using: &random) else { throw error }
              try note(error)
              try context.save()
            }
          }
          return acknowledge(number)
        } catch {
          if try isDone(despite: error, number) { return acknowledge(number) }
        }
      }
      throw SoakFailure("save \(number) is not done in 1,000 attempts")
    }

    private func acknowledge(_ number: Int) {
      saveNumber = number
      report.saves += 1
    }

    /// What is done about an error: the context forgets its changes.
    /// - Returns: whether the save took place: only after one in doubt.
    private func isDone(despite error: any Error, _ number: Int) throws -> Bool {
      try note(error)
      context.performAndWait {
        context.rollback()
        if (error as NSError).code == NSManagedObjectMergeError { context.refreshAllObjects() }
      }
      usleep(UInt32.random(in: 0...20_000, using: &random))
      guard (error as NSError).userInfo[NSPostgreSQLSaveIsInDoubtKey] != nil else { return false }
      report.doubts += 1
      return try patiently {
        try self.context.all("Ledger", "tag == '\(self.name)'").first?.value(forKey: "number") as? Int == number
      }
    }

    private func note(_ error: any Error) throws {
      progress.store(Int(Date().timeIntervalSince1970), ordering: .relaxed)
      let error = error as NSError
      guard error.domain == NSCocoaErrorDomain, Self.bearable.contains(error.code) else { throw error }
      report.failures[error.code, default: 0] += 1
      guard error.code == NSManagedObjectMergeError else { return }
      report.conflicts += 1
      // Nobody else changes what is the context's own.
      let conflicts = error.userInfo[NSPersistentStoreSaveConflictsErrorKey] as? [NSMergeConflict] ?? []
      let own = conflicts.filter { $0.sourceObject.entity.name != "Counter" }
      if !own.isEmpty { throw SoakFailure("a conflict about objects that nobody else changes: \(own.map(Self.text))") }
    }

    private static func text(_ conflict: NSMergeConflict) -> String {
      let tag = (conflict.objectSnapshot?["tag"] ?? conflict.cachedSnapshot?["tag"]) as? String
      return "\(tag ?? "?") \(conflict.oldVersionNumber) \(conflict.newVersionNumber)"
    }

    // MARK: Looking

    /// Reads until there is an answer.
    private func patiently<Result>(_ body: () throws -> Result) throws -> Result {
      for _ in 0..<1000 {
        do { return try context.performAndWait { try body() } } catch {
          try note(error)
          usleep(UInt32.random(in: 0...20_000, using: &random))
        }
      }
      throw SoakFailure("a request is not answered in 1,000 attempts")
    }

    /// Compares what the store has with what it must have.
    private func look(fresh: Bool) throws {
      progress.store(Int(Date().timeIntervalSince1970), ordering: .relaxed)
      let found: SoakView = try patiently {
        fresh ? try world.inContext { try SoakView($0, owner: name) } : try SoakView(context, owner: name)
      }
      report.looks += 1
      report.differences += found.differences(from: report.items, saveNumber, name)
    }
  }

  struct SoakFailure: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
  }
#endif
