import CRuntime
import Synchronization

/// A holder of a context's objects: its identity map.
protocol ObjectHolder: AnyObject {
  var objectCount: Int { get }
  /// The approximate number of objects that are faults.
  var faultCount: Int { get }
}

/// A holder of a store's rows: its row cache.
protocol RowHolder: AnyObject {
  var usedBytes: Int { get }
}

/// The identity maps and row caches of the process, so that their objects and bytes can be counted. Each is added when it is
/// made, and removed by its `deinit`.
enum MemoryCensus {
  private static let objectAddresses = Mutex<Set<UInt>>([])
  private static let rowAddresses = Mutex<Set<UInt>>([])

  static func add(_ holder: some ObjectHolder) { _ = objectAddresses.withLock { $0.insert(address(of: holder)) } }
  static func remove(_ holder: some ObjectHolder) { _ = objectAddresses.withLock { $0.remove(address(of: holder)) } }
  static func add(_ holder: some RowHolder) { _ = rowAddresses.withLock { $0.insert(address(of: holder)) } }
  static func remove(_ holder: some RowHolder) { _ = rowAddresses.withLock { $0.remove(address(of: holder)) } }

  static var objectHolders: [any ObjectHolder] {
    retained(objectAddresses).compactMap { $0 as? any ObjectHolder }
  }

  static var rowHolders: [any RowHolder] { retained(rowAddresses).compactMap { $0 as? any RowHolder } }

  private static func address(of object: AnyObject) -> UInt {
    UInt(bitPattern: Unmanaged.passUnretained(object).toOpaque())
  }

  /// The holders whose `deinit` has not begun, retained. A `deinit` waits for the lock, so the memory of all addresses
  /// in the list is still valid.
  private static func retained(_ addresses: borrowing Mutex<Set<UInt>>) -> [AnyObject] {
    nonisolated(unsafe) var holders: [AnyObject] = []
    addresses.withLock { addresses in
      for address in addresses {
        guard let pointer = UnsafeMutableRawPointer(bitPattern: address), runtime_try_retain(pointer) != nil else {
          continue
        }
        holders.append(Unmanaged<AnyObject>.fromOpaque(pointer).takeRetainedValue())
      }
    }
    return holders
  }
}
