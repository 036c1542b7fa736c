import CSQLite
import Foundation

extension SQLiteStatement {
  /// Binds the value that a planned row has for a column. Texts and bytes are not copied, so the row must live until the
  /// statement has run. The variable is bound anew for the next row.
  @inline(__always)
  func bind(_ row: Snapshot, _ column: WriteColumn, _ external: ExternalWriter?, at index: Int32) throws {
    guard column.index >= 0, !row.isNull(column.index) else {
      bindNull(at: index)
      if column.width > 1 { bindNull(at: index + 1) }
      return
    }
    switch column.kind {
    case .int16, .int32, .int64, .bool: bind(row.int(column.index), at: index)
    case .double, .float, .date: bind(row.double(column.index), at: index)
    case .string, .uri:
      row.withBytes(column.index) {
        _ = sqlite3_bind_text64(
          handle, index, $0.baseAddress?.assumingMemoryBound(to: CChar.self), UInt64($0.count), nil,
          UInt8(SQLITE_UTF8))
      }
    case .uuid: row.withBytes(column.index) { bind(bytes: $0, at: index) }
    case .decimal: bind(plain: .decimal(row.decimal(column.index)), at: index)
    case .toOne: bindKey(row, column, at: index)
    case .data, .transformable: try bindData(row, column, external, at: index)
    case .anything, .toMany, .composite: bindNull(at: index)
    }
  }

  private func bindKey(_ row: Snapshot, _ column: WriteColumn, at index: Int32) {
    bind(row.int(column.index), at: index)
    guard column.width > 1 else { return }
    if column.entityIndex >= 0, !row.isNull(column.entityIndex) {
      bind(row.int(column.entityIndex), at: index + 1)
    } else {
      bindNull(at: index + 1)
    }
  }

  @inline(never)
  private func bindData(_ row: Snapshot, _ column: WriteColumn, _ external: ExternalWriter?, at index: Int32) throws {
    let blob = row.blob(column.index)
    if column.isExternal {
      if let blob, blob.data.count > ExternalReference.threshold, let external {
        return bind(try external.write(blob, of: row, slot: column.index), at: index)
      }
      return bind(Data([1]) + row.data(column.index), at: index)
    }
    if let blob {
      bind(blob.data, at: index)
    } else {
      row.withBytes(column.index) { bind(bytes: $0, at: index) }
    }
  }

  /// Binds bytes that stay in their place until the statement has run.
  private func bind(bytes: UnsafeRawBufferPointer, at index: Int32) {
    if bytes.isEmpty {
      sqlite3_bind_zeroblob(handle, index, 0)
    } else {
      _ = sqlite3_bind_blob64(handle, index, bytes.baseAddress, UInt64(bytes.count), nil)
    }
  }
}
