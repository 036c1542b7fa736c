import CRuntime
import Foundation
import Synchronization

extension CoreDataInstruments {
  /// The objects and rows that the framework holds in memory.
  public struct Memory: Sendable, Equatable {
    /// The number of objects that contexts have, faults included.
    public var objects: Int
    /// The number of objects that are faults; nil if faults were not counted.
    public var faults: Int?
    /// The bytes of the rows that coordinators keep, including rows that objects point to.
    public var rowCacheBytes: Int
    /// The bytes of the process that are in memory; 0 if the system does not tell.
    public var residentBytes: Int
    /// The greatest number of bytes of the process that were in memory at once; 0 if the system does not tell.
    public var peakResidentBytes: Int
  }

  /// The objects and rows in memory now, for all contexts and coordinators of the process.
  ///
  /// Counting looks at every object that a context has, which takes milliseconds for a million objects. Objects and rows that
  /// other threads make or release meanwhile may be counted or not.
  public static var memory: Memory { measured(countsFaults: { _ in true }) }

  /// `memory` as a recorder samples it: faults are counted only if there are at most 20,000 objects.
  static var sampledMemory: Memory { measured { $0 <= 20_000 } }

  /// `memory` as clients are told of it: faults are counted only if there are at most so many objects.
  static func memory(countingFaultsUpTo limit: Int) -> Memory { measured { $0 <= limit } }

  private static func measured(countsFaults: (Int) -> Bool) -> Memory {
    let maps = MemoryCensus.objectHolders, caches = MemoryCensus.rowHolders
    let objects = maps.reduce(0) { $0 + $1.objectCount }
    let resident = residentBytes
    return Memory(
      objects: objects, faults: countsFaults(objects) ? maps.reduce(0) { $0 + $1.faultCount } : nil,
      rowCacheBytes: caches.reduce(0) { $0 + $1.usedBytes }, residentBytes: resident,
      // The system counts the peak in larger steps, so that it may be below the present size.
      peakResidentBytes: max(runtime_peak_memory(), resident))
  }

  private static var residentBytes: Int {
    guard let file = fopen("/proc/self/statm", "r") else { return 0 }
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 128)
    guard fgets(&line, Int32(line.count), file) != nil else { return 0 }
    let fields = line.withUnsafeBufferPointer { String(cString: $0.baseAddress.unsafelyUnwrapped) }.split(
      separator: " ")
    return (fields.count > 1 ? Int(fields[1]) ?? 0 : 0) * sysconf(Int32(_SC_PAGESIZE))
  }
}
