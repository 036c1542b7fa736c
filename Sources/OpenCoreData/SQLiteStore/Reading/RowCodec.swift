import CSQLite
import Foundation

/// Makes snapshots of the rows of one entity and its subentities from the columns of a statement.
final class RowCodec: @unchecked Sendable {  // immutable
  let entity: SQLEntity
  /// The place of the values that are in files of their own.
  let external: ExternalStorage
  private let shapes: SQLRowShapes

  init(_ entity: SQLEntity, in model: SQLModel, external: ExternalStorage) {
    self.external = external
    self.entity = entity
    shapes = SQLRowShapes(entity, in: model)
  }

  /// Reads the row at which the statement is.
  func decode(_ statement: SQLiteStatement, commit: UInt64, scratch: inout SnapshotScratch) -> Snapshot {
    if !shapes.byNumber.isEmpty, let found = shapes.byNumber[Int(sqlite3_column_int64(statement.handle, 1))] {
      return decode(statement.handle, found, commit, &scratch)
    }
    return decode(statement.handle, shapes.own, commit, &scratch)
  }

  private func decode(
    _ handle: OpaquePointer, _ shape: SQLRowShape, _ commit: UInt64, _ scratch: inout SnapshotScratch
  ) -> Snapshot {
    scratch.begin(slots: shape.layout.slotCount)
    shape.columns.withUnsafeBufferPointer { columns in
      for column in columns { read(column, handle, &scratch) }
    }
    return Snapshot.make(
      primaryKey: sqlite3_column_int64(handle, 0), version: sqlite3_column_int64(handle, 2), layout: shape.layout,
      commit: commit, scratch: scratch)
  }

  @inline(__always)
  private func read(_ column: SQLRowShape.Column, _ handle: OpaquePointer, _ scratch: inout SnapshotScratch) {
    let type = sqlite3_column_type(handle, column.index)
    guard type != SQLITE_NULL else { return }
    switch column.kind {
    case .int16, .int32, .int64, .bool, .toOne:
      scratch.set(column.slot, int: sqlite3_column_int64(handle, column.index))
    case .double, .float, .date:
      scratch.set(column.slot, double: sqlite3_column_double(handle, column.index))
    case .string, .uri:
      let text = sqlite3_column_text(handle, column.index)
      let count = Int(sqlite3_column_bytes(handle, column.index))
      scratch.set(column.slot, bytes: UnsafeRawBufferPointer(start: text, count: count))
    case .data, .uuid, .transformable:
      let bytes = sqlite3_column_blob(handle, column.index)
      let count = Int(sqlite3_column_bytes(handle, column.index))
      var buffer = UnsafeRawBufferPointer(start: bytes, count: count)
      if column.isPrefixed, buffer.first == 1 {
        buffer = UnsafeRawBufferPointer(rebasing: buffer.dropFirst())
      } else if column.isPrefixed, buffer.first == 2 {
        return readExternal(buffer, column.slot, &scratch)
      }
      scratch.set(column.slot, blob: buffer)
    case .decimal:
      scratch.set(column.slot, decimal: Self.decimal(type, column.index, handle))
    case .toMany, .anything, .composite:
      break
    }
  }

  /// Reads a value from its file. If the file is missing, the value is nil, and the name is noted for the caller, who reads
  /// the row again where it may be out of date. If the file cannot be read, the snapshot notes
  /// that, so that the column keeps its reference unless the attribute is set.
  @inline(never)
  private func readExternal(_ column: UnsafeRawBufferPointer, _ slot: Int, _ scratch: inout SnapshotScratch) {
    guard let reference = external.reference(column) else { return }
    do {
      if let value = try external.find(reference.name) {
        scratch.set(slot, value)
      } else {
        scratch.missingFiles.append(reference.name)
      }
    } catch {
      scratch.set(slot, UnreadValue(reference.name, in: external))
    }
  }

  /// Returns the value of a decimal attribute. Apple's framework writes decimals in the form that SQLite gives them: integers
  /// are exact, other numbers are doubles.
  static func decimal(_ type: Int32, _ index: Int32, _ handle: OpaquePointer) -> Decimal {
    switch type {
    case SQLITE_INTEGER: return Decimal(sqlite3_column_int64(handle, index))
    case SQLITE_TEXT:
      return sqlite3_column_text(handle, index).flatMap { Decimal(string: String(cString: $0)) } ?? Decimal.nan
    default:
      // The shortest text that gives the same double: 0.1 stays 0.1.
      return Decimal(string: "\(sqlite3_column_double(handle, index))") ?? Decimal.nan
    }
  }
}
