import Synchronization

/// A word of an object that the context's queue writes and reads, and that every other thread may read.
///
/// Only the queue stores, so that its own reads need not be atomic: they are plain, since atomic ones keep the compiler from
/// moving reference counts past them, and nearly all reads are the queue's.
struct SharedWord: ~Copyable {
  private let word: Atomic<UInt64>

  init(_ value: UInt64) { word = Atomic(value) }

  /// For the context's queue. Another thread that sees a new value also sees everything that was written before it.
  @inline(__always)
  var own: UInt64 {
    get { withUnsafePointer(to: word) { UnsafeRawPointer($0).load(as: UInt64.self) } }
    nonmutating set { word.store(newValue, ordering: .releasing) }
  }

  /// For every thread.
  @inline(__always)
  var shared: UInt64 { word.load(ordering: .acquiring) }
}
