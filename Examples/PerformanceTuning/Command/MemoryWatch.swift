import CoreData
import Dispatch
import Synchronization

/// The most memory that the framework uses during a piece of work.
///
/// Memory is sampled ten times a second and at the end; a peak between two samples is not seen.
final class MemoryWatch: Sendable {
  private let most = Mutex<CoreDataInstruments.Memory?>(nil)

  /// Does the work, and returns its result with the memory that it used.
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

  /// Takes a sample, and returns the largest values so far.
  private func note() -> CoreDataInstruments.Memory {
    let now = CoreDataInstruments.memory
    return most.withLock { most in
      var larger = most ?? now
      // Faults are counted among the objects, so both numbers are taken from the same sample.
      if now.objects > larger.objects { (larger.objects, larger.faults) = (now.objects, now.faults) }
      larger.rowCacheBytes = max(larger.rowCacheBytes, now.rowCacheBytes)
      larger.residentBytes = max(larger.residentBytes, now.residentBytes)
      larger.peakResidentBytes = max(larger.peakResidentBytes, now.peakResidentBytes)
      most = larger
      return larger
    }
  }
}
