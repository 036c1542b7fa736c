import CRuntime
import Foundation
import Synchronization

extension CoreDataInstruments {
  /// What the framework keeps in memory.
  public struct Memory: Sendable, Equatable {
    /// The objects that contexts have.
    public var objects: Int
    /// Those of them that are faults; nil where they were not counted.
    public var faults: Int?
    /// The bytes of the rows that coordinators keep, those that objects point to among them.
    public var rowCacheBytes: Int
    /// The bytes of the process that are in memory; 0 where the system does not tell.
    public var residentBytes: Int
    /// The most that they have been.
    public var peakResidentBytes: Int
  }

  /// What the framework keeps in memory now, for all contexts and coordinators of the process.
  ///
  /// It looks at every object that a context has: milliseconds for a million. What other threads do meanwhile may be counted
  /// or not.
  public static var memory: Memory { measured(countsFaults: { _ in true }) }

  /// The same as often as a recorder asks: faults are counted where there are not very many objects.
  static var sampledMemory: Memory { measured { $0 <= 20_000 } }

  private static func measured(countsFaults: (Int) -> Bool) -> Memory {
    let tables = LiveParts.tables, caches = LiveParts.caches
    let objects = tables.reduce(0) { $0 + $1.objectCount }
    let resident = residentBytes
    return Memory(
      objects: objects, faults: countsFaults(objects) ? tables.reduce(0) { $0 + $1.faultCount } : nil,
      rowCacheBytes: caches.reduce(0) { $0 + $1.usedBytes }, residentBytes: resident,
      // The system counts the peak in larger steps.
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

/// The identity maps and row caches of the process, for whoever wants to know how large they are. They are made and go with
/// contexts and stores.
enum LiveParts {
  private static let tableAddresses = Mutex<Set<UInt>>([])
  private static let cacheAddresses = Mutex<Set<UInt>>([])

  static func add(_ table: IdentityMap) { _ = tableAddresses.withLock { $0.insert(address(of: table)) } }
  /// Called by its `deinit`.
  static func remove(_ table: IdentityMap) { _ = tableAddresses.withLock { $0.remove(address(of: table)) } }
  static func add(_ cache: ByteBound) { _ = cacheAddresses.withLock { $0.insert(address(of: cache)) } }
  /// Called by its `deinit`.
  static func remove(_ cache: ByteBound) { _ = cacheAddresses.withLock { $0.remove(address(of: cache)) } }

  static var tables: [IdentityMap] { tableAddresses.withLock { retained($0) } }
  static var caches: [ByteBound] { cacheAddresses.withLock { retained($0) } }

  private static func address(of object: AnyObject) -> UInt {
    UInt(bitPattern: Unmanaged.passUnretained(object).toOpaque())
  }

  /// Those that are not on their way out: who is waits for the lock before it is gone.
  private static func retained<Part: AnyObject>(_ addresses: Set<UInt>) -> [Part] {
    addresses.compactMap { address in
      guard let pointer = UnsafeMutableRawPointer(bitPattern: address), runtime_try_retain(pointer) != nil else {
        return nil
      }
      return Unmanaged<Part>.fromOpaque(pointer).takeRetainedValue()
    }
  }
}
