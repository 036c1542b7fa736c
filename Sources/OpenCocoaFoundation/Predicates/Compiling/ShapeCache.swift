import Foundation
import Synchronization

/// What a predicate or a sort descriptor has made for the classes and shapes of the objects that it has seen.
///
/// Threads that share the predicate read the entries without a lock, because entries are only ever added in front of the others,
/// and freed together with the cache. Their number is bounded: objects of further shapes are evaluated by key-value coding.
///
/// Sendable unchecked: the newest entry is atomic, entries do not change, and what is made only reads what does not change.
struct ShapeCache<Made>: ~Copyable, @unchecked Sendable {
  /// The greatest number of entries. A predicate sees a few classes, unless models are made and dropped again and again.
  static var capacity: Int { 32 }

  /// What was made for the objects of one class and shape.
  final class Entry {
    fileprivate let type: ObjectIdentifier
    /// The class; nil if its objects have no places. Then the entry stands for all objects of the class.
    fileprivate let placed: (any PlacedProperties.Type)?
    fileprivate let shape: Int64
    /// nil if nothing could be made.
    let made: Made?
    fileprivate let number: Int
    fileprivate let next: UInt

    fileprivate init(
      _ type: ObjectIdentifier, _ placed: (any PlacedProperties.Type)?, _ shape: Int64, _ made: Made?, _ number: Int,
      _ next: UInt
    ) {
      self.type = type
      self.placed = placed
      self.shape = shape
      self.made = made
      self.number = number
      self.next = next
    }

    @inline(__always)
    fileprivate func isMeant(_ type: ObjectIdentifier, _ object: borrowing Reference) -> Bool {
      guard self.type == type else { return false }
      guard let placed else { return true }
      return object.read { placed.shapeNumber(of: $0) } == shape
    }
  }

  /// The address of the newest entry; 0 if there is none.
  private let newest = Atomic<UInt>(0)

  deinit {
    var address = newest.load(ordering: .acquiring)
    while let entry = Self.entry(at: address) {
      address = entry._withUnsafeGuaranteedRef { $0.next }
      entry.release()
    }
  }

  /// The number of entries.
  var count: Int { Self.entry(at: newest.load(ordering: .acquiring))?._withUnsafeGuaranteedRef { $0.number } ?? 0 }

  /// Returns what was made for the objects like `value`; makes it if there is room.
  ///
  /// - Parameter make: Makes it for an object that has places.
  @inline(__always)
  func made(for value: Any, _ make: (any PlacedProperties) -> Made?) -> Uncopied? {
    let type = ObjectIdentifier(Swift.type(of: value))
    let object = Reference(value)
    var address = newest.load(ordering: .acquiring)
    while let entry = Self.entry(at: address) {
      if entry._withUnsafeGuaranteedRef({ $0.isMeant(type, object) }) { return Uncopied(entry) }
      address = entry._withUnsafeGuaranteedRef { $0.next }
    }
    return added(value, type, make).map { Uncopied($0) }
  }

  /// An entry, whose references are not counted. The cache keeps it.
  struct Uncopied {
    private let entry: Unmanaged<Entry>

    fileprivate init(_ entry: Unmanaged<Entry>) { self.entry = entry }

    /// Looks at what was made.
    @inline(__always)
    func read<Result>(_ body: (Made) -> Result?) -> Result? {
      entry._withUnsafeGuaranteedRef { entry in entry.made.flatMap(body) }
    }

    /// Whether `value` has the same class and shape.
    @inline(__always)
    func isFor(_ value: Any) -> Bool {
      let type = ObjectIdentifier(Swift.type(of: value))
      return entry._withUnsafeGuaranteedRef { $0.isMeant(type, Reference(value)) }
    }
  }

  @inline(never)
  private func added(
    _ value: Any, _ type: ObjectIdentifier, _ make: (any PlacedProperties) -> Made?
  ) -> Unmanaged<Entry>? {
    if count >= Self.capacity { return nil }
    // The type is that of the value itself: an Optional has no places, while a cast of the value would look into it.
    let placed = Swift.type(of: value) as? any PlacedProperties.Type
    let object = placed == nil ? nil : value as? any PlacedProperties
    let shape = object.flatMap { object in placed?.shapeNumber(of: object) } ?? 0
    let made = object.flatMap(make)
    while true {
      let next = newest.load(ordering: .acquiring)
      let number = (Self.entry(at: next)?._withUnsafeGuaranteedRef { $0.number } ?? 0) + 1
      if number > Self.capacity { return nil }
      let entry = Unmanaged.passRetained(Entry(type, placed, shape, made, number, next))
      let address = UInt(bitPattern: entry.toOpaque())
      if newest.compareExchange(expected: next, desired: address, ordering: .acquiringAndReleasing).exchanged {
        return entry
      }
      entry.release()
    }
  }

  @inline(__always)
  private static func entry(at address: UInt) -> Unmanaged<Entry>? {
    UnsafeRawPointer(bitPattern: address).map { Unmanaged.fromOpaque($0) }
  }
}
