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

  @inline(__always)
  var changes: Unmanaged<ChangedValues>? {
    if word & 1 == 0 { return nil }
    return UnsafeRawPointer(bitPattern: word &- 1).map { Unmanaged.fromOpaque($0) }
  }

  @inline(__always)
  var row: Unmanaged<Snapshot>? {
    if word & 1 == 0 { return UnsafeRawPointer(bitPattern: word).map { Unmanaged.fromOpaque($0) } }
    return changes?._withUnsafeGuaranteedRef { $0.row }
  }

  /// Replaces the row and releases the old one.
  @inline(__always)
  mutating func set(_ new: Snapshot?) {
    let old = row
    let new = new.map(Unmanaged.passRetained)
    if let changes { changes._withUnsafeGuaranteedRef { $0.row = new } } else { word = Self.word(new) }
    old?.release()
  }

  /// Replaces the changed values, which take over the row, and releases the old ones.
  mutating func set(_ new: ChangedValues?) {
    let old = changes, row = row
    old?._withUnsafeGuaranteedRef { $0.row = nil }
    if let new {
      precondition(new.row == nil, "Two objects cannot have the same changed values.")
      new.row = row
      word = UInt(bitPattern: Unmanaged.passRetained(new).toOpaque()) | 1
    } else {
      word = Self.word(row)
    }
    old?.release()
  }

  @inline(__always)
  private static func word(_ row: Unmanaged<Snapshot>?) -> UInt { row.map { UInt(bitPattern: $0.toOpaque()) } ?? 0 }
}
