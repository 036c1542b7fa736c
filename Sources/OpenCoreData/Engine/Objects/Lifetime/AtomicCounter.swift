import Synchronization

/// A number that any thread may count up.
final class AtomicCounter: Sendable {
  private let value: Atomic<Int64>

  init(_ start: Int64 = 0) { value = Atomic(start) }

  /// The number after adding one.
  func increment() -> Int64 { value.wrappingAdd(1, ordering: .relaxed).newValue }
}
