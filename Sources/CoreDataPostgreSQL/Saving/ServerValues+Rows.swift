#if PostgreSQL
  import Foundation
  @_spi(Store) import OpenCoreData

  // The values of many rows by column: each column is one array, so that one statement writes all rows.
  extension ServerValues {
    /// Appends the values that rows have in a column, as one array. For a to-one relationship whose members may belong
    /// to several entities, a second array has the members' entity numbers.
    mutating func append(_ rows: ContiguousArray<Snapshot>, _ column: WriteColumn, _ types: [SQLColumnType]) {
      guard let type = types.first else { return }
      beginArray(of: ServerType.of(type), reserving: rows.count)
      if column.index < 0 {
        for _ in rows { appendNull() }
      } else {
        rows.forEachBorrowed { append($0, column, type) }
      }
      endArray()
      if types.count < 2 { return }
      beginArray(of: ServerType.of(types[1]), reserving: rows.count)
      for row in rows {
        let index = column.entityIndex
        if index < 0 || row.isNull(column.index) || row.isNull(index) {
          appendNull()
        } else {
          append(Int32(truncatingIfNeeded: row.int(index)))
        }
      }
      endArray()
    }

    @inline(__always)
    mutating func append(_ row: Snapshot, _ column: WriteColumn, _ type: SQLColumnType) {
      let index = column.index
      if row.isNull(index) { return appendNull() }
      switch column.kind {
      case .int16: append(Int16(truncatingIfNeeded: row.int(index)))
      case .int32: append(Int32(truncatingIfNeeded: row.int(index)))
      case .int64, .toOne: append(row.int(index))
      case .bool: append(row.int(index) != 0)
      case .double, .date: append(row.double(index))
      case .float: append(Float(row.double(index)))
      case .string, .uri: row.withBytes(index) { append(utf8: $0) }
      case .uuid: row.withBytes(index) { append(bytes: $0) }
      case .decimal: append(row.decimal(index))
      case .data, .transformable:
        if let blob = row.blob(index) {
          append(blob.data)
        } else {
          row.withBytes(index) { append(bytes: $0) }
        }
      case .anything, .toMany, .composite: appendNull()
      }
    }

    /// Appends a value of an attribute in the form of a column.
    mutating func append(_ value: StoredValue, as type: SQLColumnType) {
      switch value {
      case .unset, .null, .other: appendNull()
      case .int(let value):
        switch type {
        case .integer16: append(Int16(truncatingIfNeeded: value))
        case .integer32, .entityNumber: append(Int32(truncatingIfNeeded: value))
        case .boolean: append(value != 0)
        case .double, .timestamp: append(Double(value))
        case .float: append(Float(value))
        case .decimal: append(Decimal(value))
        default: append(value)
        }
      case .double(let value):
        switch type {
        case .float: append(Float(value))
        case .decimal: append(Decimal(value))
        default: append(value)
        }
      case .string(let value): append(value)
      case .data(let value): append(value)
      case .transformed(let value): if let bytes = value.bytes { append(bytes) } else { appendNull() }
      case .uuid(let value): append(value)
      case .decimal(let value): append(value)
      case .object(let object): append(object.objectID.primaryKey)
      }
    }

    /// Appends the keys of rows as one array.
    mutating func append(keysOf rows: ContiguousArray<Snapshot>) {
      beginArray(of: ServerType.int64, reserving: rows.count)
      rows.forEachBorrowed { append($0.primaryKey) }
      endArray()
    }

    /// Appends the versions of rows as one array.
    mutating func append(versionsOf rows: ContiguousArray<Snapshot>) {
      beginArray(of: ServerType.int64, reserving: rows.count)
      rows.forEachBorrowed { append($0.version) }
      endArray()
    }
  }

  extension ContiguousArray<Snapshot> {
    /// Calls `body` with each row without counting references: the array keeps the rows alive during the calls.
    @inline(__always)
    func forEachBorrowed(_ body: (Snapshot) -> Void) {
      withUnsafeBufferPointer { rows in
        let words = UnsafeRawBufferPointer(rows)
        for index in rows.indices {
          let row = words.load(fromByteOffset: index * MemoryLayout<Snapshot>.stride, as: Unmanaged<Snapshot>.self)
          row._withUnsafeGuaranteedRef { body($0) }
        }
      }
    }
  }
#endif
