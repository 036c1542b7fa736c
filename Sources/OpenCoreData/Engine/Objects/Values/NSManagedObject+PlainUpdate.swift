// The row that an update writes, where only numbers, truth values and dates were set: a copy of the old row with other
// bits in a few words. A new text or binary value moves the values behind it, so such a row is put together anew.
extension NSManagedObject {
  /// The row after a save; nil if other values than numbers, truth values and dates were changed.
  /// - Parameter commit: the coordinator's commit of the save.
  @inline(__always)
  final func rowOfPlainUpdate(_ commit: UInt64) -> Snapshot? {
    guard let rowReference, let changesReference else { return nil }
    return rowReference._withUnsafeGuaranteedRef { row in
      guard row.layout === layout, let version = UInt32(exactly: nextVersion), version < .max else { return nil }
      return changesReference._withUnsafeGuaranteedRef { changes in
        for index in layout.otherIndexes where !changes.isUnset(at: index) { return nil }
        for index in layout.plainIndexes where !changes.isPlainNumber(at: index) { return nil }
        let copy = row.copy(version: version, commit: commit)
        for index in layout.plainIndexes { copy.take(changes, at: index) }
        return copy
      }
    }
  }
}

extension ChangedValues {
  /// Whether the value at an index is unset, or one that takes one word of a row.
  @inline(__always)
  fileprivate final func isPlainNumber(at index: Int) -> Bool {
    withUnsafeMutablePointers { header, values in
      precondition(index >= 0 && index < header.pointee.count)
      switch values[index] {
      case .unset, .null, .int, .double: return true
      default: return false
      }
    }
  }
}

extension Snapshot {
  /// A copy of the row with its own version and commit. The copy is not shared yet.
  fileprivate func copy(version: UInt32, commit: UInt64) -> Snapshot {
    let copy = copy(setting: [])
    copy.withUnsafeMutablePointerToHeader {
      $0.pointee.shortVersion = version
      $0.pointee.commit = commit
    }
    return copy
  }

  /// Takes over a value that an object has set: a number or NULL.
  @inline(__always)
  fileprivate func take(_ changes: ChangedValues, at slot: Int) {
    changes.withUnsafeMutablePointerToElements { values in
      switch values[slot] {
      case .int(let value): put(UInt64(bitPattern: value), isNull: false, at: slot)
      case .double(let value): put(value.bitPattern, isNull: false, at: slot)
      case .null: put(0, isNull: true, at: slot)
      default: break
      }
    }
  }
}
