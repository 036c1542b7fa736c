import Synchronization

/// The part of a context that its parent and its children may use without being on its queue.
final class ContextNesting: Sendable {
  /// The number of contexts that have this one as their parent.
  let children = Atomic<Int>(0)
  /// Whether the context has changes that its parent or store does not have. A save sets the flag of the parent before
  /// it clears this one, so that a child that asks from the bottom up misses no change.
  let hasChanges = Atomic<Bool>(false)
  /// Whether the context reads a query generation, or will with its next read.
  let isPinned = Atomic<Bool>(false)
  /// Of the context at the top: the keys that saves have given to objects of the contexts below.
  let permanentKeys = PermanentKeys()
}
