import CoreData
import Foundation
import PerformanceTuning
import Synchronization

/// Saves people one at a time.
func runServerSaves(_ place: ServerPlace, _ name: String, _ count: Int) throws {
  try measureSaves(place, name) { container in
    try save(count, in: container.newBackgroundContext())
    return count
  }
}

/// Saves people one at a time in eight concurrent contexts, each on a thread of its own.
func runServerWriters(_ place: ServerPlace, _ name: String, _ count: Int) throws {
  let writers = 8
  try measureSaves(place, name) { container in
    let failures = Failures()
    let group = DispatchGroup()
    for _ in 0..<writers {
      let context = container.newBackgroundContext()
      group.enter()
      // `concurrentPerform` is not used, because it has no more threads than there are cores.
      Thread.detachNewThread {
        do { try save(count / writers, in: context) } catch { failures.all.withLock { $0.append(error) } }
        group.leave()
      }
    }
    group.wait()
    if let failure = failures.all.withLock({ $0.first }) { throw failure }
    return count / writers
  }
}

private func save(_ count: Int, in context: NSManagedObjectContext) throws {
  for number in 1...count {
    try context.performAndWait {
      let person = Person(context: context)
      person.name = "item \(number)"
      person.rating = Int16(number % 1000)
      try context.save()
    }
  }
}

private func measureSaves(
  _ place: ServerPlace, _ name: String, _ work: (NSPersistentContainer) throws -> Int
) throws {
  var stack: PerformanceStack?
  try measure(
    name,
    prepare: {
      try stack?.close()
      try place.remove(ServerPlace.scratch)
      stack = try place.people(ServerPlace.scratch)
    },
    answer: {
      guard let context = stack?.context else { return 0 }
      let liked = Person.fetchRequest() as NSFetchRequest<Person>
      liked.predicate = NSPredicate(format: "rating >= 500")
      return try context.count(for: Person.fetchRequest() as NSFetchRequest<Person>) * 1_000_003
        + context.count(for: liked)
    },
    work: {
      guard let container = stack?.container else { throw WorkloadError(description: "no stack") }
      return try work(container)
    })
  try stack?.close()
  try place.remove(ServerPlace.scratch)
}

/// The errors of other threads.
private final class Failures: Sendable {
  let all = Mutex<[any Error]>([])
}
