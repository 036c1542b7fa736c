import Synchronization

/// The part of a context that its parent and its children may use without being on its queue.
final class ContextNesting: Sendable {
  /// How many contexts have this one as their parent.
  let children = Atomic<Int>(0)
  /// Whether the context has changes that its parent or store does not have. A save sets the flag of the parent before
  /// it clears this one, so that a child that asks from the bottom up misses no change.
  let hasChanges = Atomic<Bool>(false)
  /// Whether the context reads a query generation, or will with its next read.
  let isPinned = Atomic<Bool>(false)
  /// Of the context at the top: the keys that saves have given to objects of the contexts below.
  let permanentKeys = PermanentKeys()
}

/// The permanent keys of objects that no store had when a child context read them. Belongs to the context's queue.
struct NestedKeys {
  /// How many entries of `log` the objects of the context know of.
  var seen = 0
  /// The log of the context at the top, where this one counts as a reader.
  var log: PermanentKeys?
  /// Objects with the bit `holdsTemporaryKeys`, by where they are registered.
  var holders: ContiguousArray<(table: IdentityMap, key: Int64)> = []
  /// The store that a temporary object's permanent members are in, where there are several stores.
  var homes: [Int64: NSPersistentStore] = [:]

  /// Forgets what belongs to objects; the context has none any more.
  mutating func reset() {
    holders = []
    homes = [:]
  }
}
