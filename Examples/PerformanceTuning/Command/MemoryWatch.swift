import CoreData
import Dispatch
import Synchronization

/// The most that the framework keeps in memory while a piece of work runs.
///
/// Looks ten times a second, and once at the end: what comes and goes in between is not seen.
final class MemoryWatch: Sendable {
  private let most = Mutex<CoreDataInstruments.Memory?>(nil)

  /// Does work, and gives what it gives with the memory that it took.
  static func watch<Result>(_ work: () -> Result) -> (result: Result, memory: CoreDataInstruments.Memory) {
    let watch = MemoryWatch()
    let timer = DispatchSource.makeTimerSource(queue: .global(qos: .utility))
    timer.schedule(deadline: .now() + .milliseconds(100), repeating: .milliseconds(100))
    timer.setEventHandler { _ = watch.note() }
    timer.activate()
    let result = work()
    timer.cancel()
    return (result, watch.note())
  }

  /// What the most is now.
  private func note() -> CoreDataInstruments.Memory {
    let now = CoreDataInstruments.memory
    return most.withLock { most in
      var larger = most ?? now
      // Faults are among the objects: both are of one moment.
      if now.objects > larger.objects { (larger.objects, larger.faults) = (now.objects, now.faults) }
      larger.rowCacheBytes = max(larger.rowCacheBytes, now.rowCacheBytes)
      larger.residentBytes = max(larger.residentBytes, now.residentBytes)
      larger.peakResidentBytes = max(larger.peakResidentBytes, now.peakResidentBytes)
      most = larger
      return larger
    }
  }
}
