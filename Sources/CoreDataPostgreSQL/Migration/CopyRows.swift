#if PostgreSQL
  import Foundation
  @_spi(Store) import OpenCoreData

  /// Rows of a binary COPY: the number of the columns, then each value with its length before it, in the same form as
  /// elements of arrays.
  struct CopyRows {
    var values = ServerValues()

    init() {
      values.beginArray(of: ServerType.int64)
      values.bytes.removeLast(values.bytes.count)
    }

    mutating func begin(columns: Int) { values.bytes.append(Int16(truncatingIfNeeded: columns)) }

    /// Moves the bytes so far to the buffer of a copy.
    /// - Throws: `ServerValueError` for a value that cannot be sent.
    mutating func move(to buffer: inout [UInt8]) throws {
      if let problem = values.problem { throw problem }
      values.bytes.withUnsafeBytes { buffer.append(contentsOf: $0) }
      values.bytes.removeLast(values.bytes.count)
    }
  }
#endif
