import CoreData
import Foundation
import PerformanceTuning
import Synchronization

/// Saves 10,000 objects one at a time; then does the same while another context counts the objects.
///
/// The CPU time of the counting thread is left out, because that thread counts as often as it can. The rates of saves and
/// counts are reported as well.
func runC(_ store: Store) throws {
  let saves = Counting.isOn ? 1000 : 10_000
  var stack: PerformanceStack?
  var reader: CountingReader?
  var wall = 0.0
  func prepare() throws {
    try stack?.close()
    try store.remove(store.scratch)
    stack = try PerformanceStack(url: store.scratch)
  }
  for (name, hasReader) in [("C", false), ("C-reader", true)] where Counting.includes(name) {
    try measure(name, prepare: prepare, beside: { reader?.milliseconds ?? 0 }) {
      guard let container = stack?.container else { throw WorkloadError(description: "no stack") }
      reader = hasReader ? CountingReader(container) : nil
      let writer = container.newBackgroundContext()
      let clock = ContinuousClock()
      let start = clock.now
      for number in 1...saves {
        try writer.performAndWait {
          let person = Person(context: writer)
          person.name = "item \(number)"
          person.rating = Int16(number % 1000)
          try writer.save()
        }
      }
      wall = start.duration(to: clock.now) / .milliseconds(1)
      reader?.stop()
      return saves
    }
    if let reader {
      report("\(name)-saves", count: saves, in: wall)
      report("\(name)-reads", count: reader.count, in: wall)
    }
    let saved = try stack?.loadedSize().people
    guard saved == saves else { throw WorkloadError(description: "\(name): \(saved ?? 0) objects were saved") }
  }
  try stack?.close()
  try store.remove(store.scratch)
}

/// Counts people continuously, on a thread and in a context of its own.
private final class CountingReader: Sendable {
  private let isRunning = Atomic(true)
  private let reads = Atomic(0)
  private let nanoseconds = Atomic(0)
  private let hasEnded = DispatchSemaphore(value: 0)

  /// The number of counts.
  var count: Int { reads.load(ordering: .acquiring) }
  /// The CPU time of the counting thread.
  var milliseconds: Double { Double(nanoseconds.load(ordering: .acquiring)) / 1e6 }

  init(_ container: NSPersistentContainer) {
    let context = container.newBackgroundContext()
    Thread.detachNewThread {
      while self.isRunning.load(ordering: .relaxed) {
        context.performAndWait {
          let request = Person.fetchRequest() as NSFetchRequest<Person>
          // An error of the counting thread changes no answer, so it must stop the program.
          do { _ = try context.count(for: request) } catch { fatalError("\(error)") }
        }
        self.reads.add(1, ordering: .relaxed)
      }
      self.nanoseconds.store(Int(Sample.threadCPU * 1e6), ordering: .releasing)
      self.hasEnded.signal()
    }
  }

  func stop() {
    isRunning.store(false, ordering: .relaxed)
    hasEnded.wait()
  }
}
