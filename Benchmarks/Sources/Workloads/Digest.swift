import Foundation

/// A number that tells a sequence of values from any other, as `digest` does in C.
struct Digest {
  private var value: UInt64

  init(_ value: Int = 0) { self.value = UInt64(bitPattern: Int64(value)) }

  /// The digest of everything that was added.
  var answer: Int { Int(truncatingIfNeeded: Int64(bitPattern: value)) }

  mutating func add(_ next: Int) { value = value &* 31 &+ UInt64(bitPattern: Int64(next)) }

  /// The date is compared to the bit.
  mutating func add(_ date: Date?) {
    value = value &* 31 &+ (date?.timeIntervalSinceReferenceDate.bitPattern ?? 0)
  }

  /// The dates in their order: photos of one date may stand either way.
  mutating func add(_ photos: some Sequence<Photo>) {
    for photo in photos { add(photo.date) }
  }
}
