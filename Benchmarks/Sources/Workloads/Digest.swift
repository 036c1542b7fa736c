import Foundation

/// A number that distinguishes a sequence of values from other sequences, as `digest` does in C.
struct Digest {
  private var value: UInt64

  init(_ value: Int = 0) { self.value = UInt64(bitPattern: Int64(value)) }

  /// The digest of everything that was added.
  var answer: Int { Int(truncatingIfNeeded: Int64(bitPattern: value)) }

  mutating func add(_ next: Int) { value = value &* 31 &+ UInt64(bitPattern: Int64(next)) }

  /// Adds all bits of the date, so that dates are compared exactly.
  mutating func add(_ date: Date?) {
    value = value &* 31 &+ (date?.timeIntervalSinceReferenceDate.bitPattern ?? 0)
  }

  /// Adds the dates of photos in their order. Only the dates are added, because the order of photos with the same date is not
  /// defined.
  mutating func add(_ photos: some Sequence<Photo>) {
    for photo in photos { add(photo.date) }
  }
}
