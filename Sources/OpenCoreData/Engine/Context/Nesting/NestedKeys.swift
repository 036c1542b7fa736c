/// What a context of a tree knows of permanent keys that objects have got elsewhere, and of its own objects that no store had
/// when it read them. Belongs to the context's queue.
struct NestedKeys {
  /// The log of the context at the top, where this one counts as a reader.
  private(set) var log: PermanentKeys?
  /// How many entries of `log` the objects of the context know of.
  private(set) var seen = 0
  /// Objects with the bit `holdsTemporaryKeys`, by where they are registered.
  private var holders: ContiguousArray<(table: IdentityMap, key: Int64)> = []
  /// The store that a temporary object's permanent members are in, where there are several stores.
  private var homes: [Int64: NSPersistentStore] = [:]

  // MARK: The log

  /// Reads a log from its end: for a context without objects, which has nothing that older keys could be the keys of.
  mutating func join(_ log: PermanentKeys, by context: NSManagedObjectContext) {
    self.log = log
    seen = log.join(context, knowsAll: true)
  }

  /// Reads another log in place of the one before.
  /// - Parameter start: where the context begins, without counting as a reader; nil for a reader, which begins with what is
  ///   there.
  mutating func follow(_ log: PermanentKeys, by context: NSManagedObjectContext, from start: Int?) {
    self.log?.leave(context)
    self.log = log
    seen = start ?? log.join(context, knowsAll: false)
  }

  /// The context reads no more.
  func leave(_ context: NSManagedObjectContext) { log?.leave(context) }

  mutating func see(upTo end: Int) { seen = end }

  // MARK: Objects

  var hasHolders: Bool { !holders.isEmpty }

  mutating func noteHolder(_ key: Int64, in table: IdentityMap) { holders.append((table, key)) }

  /// The objects that name temporary keys; they are noted no longer.
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

  /// Forgets what belongs to objects; the context has none any more.
  mutating func reset() {
    holders = []
    homes = [:]
  }
}
