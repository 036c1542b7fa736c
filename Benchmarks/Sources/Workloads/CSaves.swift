import CoreData
import Foundation
import PerformanceTuning
import Synchronization

/// Saves 10,000 objects one at a time; then again while another context counts them.
func runC(_ store: Store) throws {
  let saves = Counting.isOn ? 1000 : 10_000
  var stack: PerformanceStack?
  func prepare() throws {
    try stack?.close()
    try store.remove(store.scratch)
    stack = try PerformanceStack(url: store.scratch)
  }
  for (name, hasReader) in [("C", false), ("C-reader", true)] where Counting.includes(name) {
    try measure(name, prepare: prepare) {
      guard let container = stack?.container else { throw WorkloadError(description: "no stack") }
      let reader = hasReader ? CountingReader(container) : nil
      let writer = container.newBackgroundContext()
      for number in 1...saves {
        try writer.performAndWait {
          let person = Person(context: writer)
          person.name = "item \(number)"
          person.rating = Int16(number % 1000)
          try writer.save()
        }
      }
      reader?.stop()
      return saves
    }
    let saved = try stack?.loadedSize().people
    guard saved == saves else { throw WorkloadError(description: "\(name): \(saved ?? 0) objects were saved") }
  }
  try stack?.close()
  try store.remove(store.scratch)
}

/// Counts people all the while, on a thread and in a context of its own.
private final class CountingReader: Sendable {
  private let isRunning = Atomic(true)
  private let hasEnded = DispatchSemaphore(value: 0)

  init(_ container: NSPersistentContainer) {
    let context = container.newBackgroundContext()
    Thread.detachNewThread {
      while self.isRunning.load(ordering: .relaxed) {
        context.performAndWait {
          let request = Person.fetchRequest() as NSFetchRequest<Person>
          // It shows in no answer, and must not go unseen.
          do { _ = try context.count(for: request) } catch { fatalError("\(error)") }
        }
      }
      self.hasEnded.signal()
    }
  }

  func stop() {
    isRunning.store(false, ordering: .relaxed)
    hasEnded.wait()
  }
}
