/// The header in front of the changed values.
struct ChangedValuesHeader {
  let count: Int
  /// The object's row, retained by hand. It is kept here, and not in the object, since most objects have no changed values.
  var row: Unmanaged<Snapshot>?
  /// Slots set through primitive accessors alone, which do not count as changes.
  var untracked: Set<Int> = []
  /// The version of the row that the object had before its deletion, where undoing has inserted the object again.
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

  /// The values of a new object: the defaults of its entity.
  static func make(defaultsOf layout: EntityLayout) -> ChangedValues {
    guard layout.hasPlainDefaults else { return make(layout.defaults) }
    let count = layout.valueCount
    return make(count) { place in
      layout.defaults.withUnsafeBytes {
        // Copies bytes: element by element the values would be copied as if they might hold references.
        UnsafeMutableRawBufferPointer(UnsafeMutableBufferPointer(start: place, count: count)).copyMemory(from: $0)
      }
    }
  }

  /// The values of an object that has none of its own yet.
  static func make(repeating value: StoredValue, _ count: Int) -> ChangedValues {
    // Initialises element by element: `initialize(repeating:)` copies the value as if it might hold references.
    make(count) { place in
      for index in 0..<count { (place + index).initialize(to: value) }
    }
  }

  /// Whether the object has no value of its own at an index.
  @inline(__always)
  func isUnset(at index: Int) -> Bool {
    withUnsafeMutablePointers { header, values in
      precondition(index >= 0 && index < header.pointee.count)
      return values[index].isUnset
    }
  }

  /// Whether the value at an index is unset, or one that takes one word of a row.
  @inline(__always)
  func isPlainNumber(at index: Int) -> Bool {
    withUnsafeMutablePointers { header, values in
      precondition(index >= 0 && index < header.pointee.count)
      switch values[index] {
      case .unset, .null, .int, .double: return true
      default: return false
      }
    }
  }

  /// Whether a slot has a value that differs from `value`.
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

  /// Whether releasing the values may release objects.
  var mayHoldObjects: Bool {
    withUnsafeMutablePointers { header, values in
      for index in 0..<header.pointee.count {
        switch values[index] {
        case .object, .other: return true
        default: continue
        }
      }
      return false
    }
  }

  /// Sets the values to the defaults, for the next new object.
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

  /// Whether the object that has these values also has a row.
  @inline(__always)
  var hasRow: Bool { heldRow != nil }

  /// The row of the object that has these values, retained by hand; for `RowAndChanges`.
  @inline(__always)
  var heldRow: Unmanaged<Snapshot>? {
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

  /// The version of the row that the object had before its deletion, where undoing has inserted the object again.
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
