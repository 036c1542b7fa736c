#if PostgreSQL
  @_spi(Store) import OpenCoreData

  /// Collects rows in the form of a binary COPY by column: a value of such a row has the same form as an element of an
  /// array.
  struct RowColumns {
    private struct Column {
      var elements = ServerBytes()
      var hasNulls = false
    }

    private let types: [SQLColumnType]
    private var columns: [Column]
    private(set) var rowCount = 0

    init(_ types: [SQLColumnType]) {
      self.types = types
      columns = types.map { _ in Column() }
    }

    /// - Parameter rows: whole rows, each as the number of its columns and, for each column, a length and the value.
    mutating func add(_ rows: [UInt8]) {
      rows.withUnsafeBytes { bytes in
        var place = 0
        while place < bytes.count {
          let count = Int(Int16(bigEndian: bytes.loadUnaligned(fromByteOffset: place, as: Int16.self)))
          precondition(count == columns.count, "a row of \(count) values for \(columns.count) columns")
          place += 2
          for index in columns.indices {
            let length = Int(Int32(bigEndian: bytes.loadUnaligned(fromByteOffset: place, as: Int32.self)))
            if length < 0 { columns[index].hasNulls = true }
            let end = place + 4 + max(0, length)
            columns[index].elements.append(UnsafeRawBufferPointer(rebasing: bytes[place..<end]))
            place = end
          }
          rowCount += 1
        }
      }
    }

    /// The values as arrays, one for each column.
    var values: ServerValues {
      var values = ServerValues()
      for (type, column) in zip(types, columns) {
        values.beginArray(of: ServerType.of(type), reserving: 0)
        column.elements.withUnsafeBytes { values.bytes.append($0) }
        values.array.count = rowCount
        values.array.hasNulls = column.hasNulls
        values.endArray()
      }
      return values
    }
  }
#endif
