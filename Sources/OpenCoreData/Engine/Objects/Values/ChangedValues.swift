/// The header in front of the changed values.
struct ChangedValuesHeader {
  let count: Int
  /// The object's row, retained by hand; it is here since most objects have no changed values.
  var row: Unmanaged<Snapshot>?
  /// Slots set through primitive accessors alone, which do not count as changes.
  var untracked: Set<Int> = []
  /// The version of the row that the object had before it was deleted, and inserted again by undoing.
  var formerVersion: Int64 = 0
}

/// The values an object owns because they were set since it was read, or because it is new: one allocation with them all.
final class ChangedValues: ManagedBuffer<ChangedValuesHeader, StoredValue> {
  private static func make(
    _ count: Int, _ initialize: (UnsafeMutablePointer<StoredValue>) -> Void
  ) -> ChangedValues {
    let made = create(minimumCapacity: count) { _ in ChangedValuesHeader(count: count) }
    made.withUnsafeMutablePointerToElements(initialize)
    return unsafeDowncast(made, to: ChangedValues.self)
  }

  static func make(_ values: ContiguousArray<StoredValue>) -> ChangedValues {
    make(values.count) { place in
      values.withUnsafeBufferPointer {
        if let start = $0.baseAddress { place.initialize(from: start, count: $0.count) }
      }
    }
  }

  /// Of a new object: what its entity has it start with.
  static func make(defaultsOf layout: EntityLayout) -> ChangedValues {
    guard layout.hasPlainDefaults else { return make(layout.defaults) }
    let count = layout.valueCount
    return make(count) { place in
      layout.defaults.withUnsafeBytes {
        // As bytes: one by one they would be copied as if they might hold references.
        UnsafeMutableRawBufferPointer(UnsafeMutableBufferPointer(start: place, count: count)).copyMemory(from: $0)
      }
    }
  }

  /// Of an object without values of its own.
  static func make(repeating value: StoredValue, _ count: Int) -> ChangedValues {
    // One by one: repeating a value copies it as if it might hold references.
    make(count) { place in
      for index in 0..<count { (place + index).initialize(to: value) }
    }
  }

  /// Whether nothing was set there.
  @inline(__always)
  func isUnset(at index: Int) -> Bool {
    withUnsafeMutablePointers { header, values in
      precondition(index >= 0 && index < header.pointee.count)
      return values[index].isUnset
    }
  }

  /// Whether a slot has a value, and another one than `value`.
  @inline(__always)
  func hasValue(at index: Int, otherThan value: StoredValue) -> Bool {
    withUnsafeMutablePointers { header, values in
      precondition(index >= 0 && index < header.pointee.count)
      switch values[index] {
      case .unset: return false
      case .null: return !value.isNull
      default: return value.isNull || !values[index].isSame(as: value)
      }
    }
  }

  /// Makes them what another new object starts with.
  func reset(to defaults: ContiguousArray<StoredValue>) {
    for index in defaults.indices { self[index] = defaults[index] }
    if !untracked.isEmpty { untracked = [] }
  }

  deinit {
    withUnsafeMutablePointers { header, values in
      header.pointee.row?.release()
      _ = values.deinitialize(count: header.pointee.count)
    }
  }

  /// The row of the object that has these values.
  @inline(__always)
  var row: Unmanaged<Snapshot>? {
    get { withUnsafeMutablePointerToHeader { $0.pointee.row } }
    set { withUnsafeMutablePointerToHeader { $0.pointee.row = newValue } }
  }

  /// The value of a slot; `.unset` where the snapshot has it.
  @inline(__always)
  subscript(_ index: Int) -> StoredValue {
    get {
      withUnsafeMutablePointers { header, values in
        precondition(index >= 0 && index < header.pointee.count)
        return values[index]
      }
    }
    set {
      withUnsafeMutablePointers { header, values in
        precondition(index >= 0 && index < header.pointee.count)
        values[index] = newValue
      }
    }
  }

  /// All changed values, by slot.
  @inline(__always)
  var values: Values { Values(owner: self) }

  /// Slots set through primitive accessors alone, which do not count as changes.
  var untracked: Set<Int> {
    @inline(__always) get { withUnsafeMutablePointerToHeader { $0.pointee.untracked } }
    @inline(__always) _modify { yield &header.untracked }
  }

  /// The version of the row that the object had before it was deleted, and inserted again by undoing.
  var formerVersion: Int64 {
    get { withUnsafeMutablePointerToHeader { $0.pointee.formerVersion } }
    set { withUnsafeMutablePointerToHeader { $0.pointee.formerVersion = newValue } }
  }

  /// The values as a collection, each of which can be set.
  struct Values: RandomAccessCollection {
    fileprivate let owner: ChangedValues

    @inline(__always)
    var startIndex: Int { 0 }

    @inline(__always)
    var endIndex: Int { owner.withUnsafeMutablePointerToHeader { $0.pointee.count } }

    @inline(__always)
    subscript(_ index: Int) -> StoredValue {
      get { owner[index] }
      nonmutating set { owner[index] = newValue }
    }
  }
}

extension NSManagedObject {
  /// The version that the row gets when it is written next.
  final var nextVersion: Int64 { (snapshot?.version ?? changes?.formerVersion ?? 0) &+ 1 }
}
