/// The part of a context of a tree that concerns permanent keys which objects have got elsewhere, and its own objects
/// that name temporary keys. Belongs to the context's queue.
struct NestedKeys {
  /// The log of the context at the top of the tree; this context counts as one of its readers.
  private(set) var log: PermanentKeys?
  /// The number of the log's entries that the context's objects know.
  private(set) var seen = 0
  /// The objects with the flag `holdsTemporaryKeys`, by the maps and keys under which they are registered.
  private var holders: ContiguousArray<(table: IdentityMap, key: Int64)> = []
  /// The store of the permanent members of an object with a temporary key, where there are several stores.
  private var homes: [Int64: NSPersistentStore] = [:]

  // MARK: The log

  /// Reads a log from its end: for a context without objects, to which older keys do not matter.
  mutating func join(_ log: PermanentKeys, by context: NSManagedObjectContext) {
    self.log = log
    seen = log.join(context, knowsAll: true)
  }

  /// Reads another log in place of the one before.
  /// - Parameter start: the position where the context begins without counting as a reader; nil for a reader, which
  ///   begins with the oldest entry that is kept.
  mutating func follow(_ log: PermanentKeys, by context: NSManagedObjectContext, from start: Int?) {
    self.log?.leave(context)
    self.log = log
    seen = start ?? log.join(context, knowsAll: false)
  }

  /// Called when the context does not read keys any more.
  func leave(_ context: NSManagedObjectContext) { log?.leave(context) }

  mutating func see(upTo end: Int) { seen = end }

  // MARK: Objects

  var hasHolders: Bool { !holders.isEmpty }

  mutating func noteHolder(_ key: Int64, in table: IdentityMap) { holders.append((table, key)) }

  /// Takes the objects that name temporary keys out of the list.
  mutating func takeHolders() -> ContiguousArray<(table: IdentityMap, key: Int64)> {
    defer { holders = [] }
    return holders
  }

  var hasHomes: Bool { !homes.isEmpty }

  func home(of key: Int64) -> NSPersistentStore? { homes[key] }

  mutating func noteHome(_ store: NSPersistentStore, of key: Int64) { homes[key] = store }

  @inline(__always)
  mutating func forgetHome(of key: Int64) {
    if !homes.isEmpty { homes[key] = nil }
  }

  /// Forgets everything that belongs to objects; the context has none any more.
  mutating func reset() {
    holders = []
    homes = [:]
  }
}
