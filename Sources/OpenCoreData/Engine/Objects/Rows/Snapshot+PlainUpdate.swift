extension Snapshot {
  /// A copy of the row with its own version and commit. The copy is not shared yet.
  func copy(version: UInt32, commit: UInt64) -> Snapshot {
    let copy = copy(setting: [])
    copy.withUnsafeMutablePointerToHeader {
      $0.pointee.shortVersion = version
      $0.pointee.commit = commit
    }
    return copy
  }

  /// Takes over a value that an object has set: a number or NULL.
  @inline(__always)
  func take(_ changes: ChangedValues, at slot: Int) {
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
