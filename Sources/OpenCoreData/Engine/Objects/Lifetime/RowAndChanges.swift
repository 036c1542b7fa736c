/// An object's row and its own values, in one word, since there may be millions of objects: most of them have a row and
/// no values of their own. For an object that has both, its own values keep the row.
///
/// Both are retained by hand, so that accessors can look into them without counting references.
struct RowAndChanges {
  /// The address of the row; or the address of the changed values, plus one; or 0.
  private var word: UInt = 0

  /// Whether there is neither a row nor a value of the object's own.
  @inline(__always)
  var isEmpty: Bool { word == 0 }

  /// The object's own values.
  @inline(__always)
  var changes: Uncounted<ChangedValues>? { heldChanges.map { Uncounted($0) } }

  /// The row, also of an object that has values of its own.
  @inline(__always)
  var row: Uncounted<Snapshot>? { heldRow.map { Uncounted($0) } }

  @inline(__always)
  private var heldChanges: Unmanaged<ChangedValues>? {
    if word & 1 == 0 { return nil }
    return UnsafeRawPointer(bitPattern: word &- 1).map { Unmanaged.fromOpaque($0) }
  }

  @inline(__always)
  private var heldRow: Unmanaged<Snapshot>? {
    if word & 1 == 0 { return UnsafeRawPointer(bitPattern: word).map { Unmanaged.fromOpaque($0) } }
    return heldChanges?._withUnsafeGuaranteedRef { $0.heldRow }
  }

  /// Releases both, when the object is released.
  @inline(__always)
  func release() { if let heldChanges { ReleasePool.release(heldChanges) } else { heldRow?.release() } }

  /// Replaces the row and releases the old one.
  @inline(__always)
  mutating func set(_ new: Snapshot?) {
    let old = heldRow
    let new = new.map(Unmanaged.passRetained)
    if let heldChanges { heldChanges._withUnsafeGuaranteedRef { $0.heldRow = new } } else { word = Self.word(new) }
    old?.release()
  }

  /// Replaces the changed values, which take over the row, and releases the old ones.
  mutating func set(_ new: ChangedValues?) {
    let old = heldChanges, row = heldRow
    old?._withUnsafeGuaranteedRef { $0.heldRow = nil }
    if let new {
      precondition(!new.hasRow, "Two objects cannot have the same changed values.")
      new.heldRow = row
      word = UInt(bitPattern: Unmanaged.passRetained(new).toOpaque()) | 1
    } else {
      word = Self.word(row)
    }
    old?.release()
  }

  @inline(__always)
  private static func word(_ row: Unmanaged<Snapshot>?) -> UInt { row.map { UInt(bitPattern: $0.toOpaque()) } ?? 0 }
}
