#if PostgreSQL
  import CPostgreSQL

  /// A result of libpq; its memory is freed with this value. While rows are streamed, a result has one row or a few.
  ///
  /// Handlers borrow the result: the pointers that `bytes` returns are invalid after the handler returns.
  struct ServerResult: ~Copyable {
    private let handle: OpaquePointer

    /// Takes ownership of the result.
    init(_ handle: OpaquePointer) { self.handle = handle }

    deinit { PQclear(handle) }

    var rowCount: Int { Int(PQntuples(handle)) }
    var columnCount: Int { Int(PQnfields(handle)) }

    /// Whether this is the answer to a COMMIT that has taken place. In a failed transaction, COMMIT is no error, and the answer
    /// says that the transaction was rolled back.
    var isOfCommit: Bool { PQcmdStatus(handle).map { String(cString: $0) == "COMMIT" } ?? false }

    /// How many rows an INSERT, UPDATE or DELETE has affected, or a SELECT has returned.
    var affectedRows: Int { PQcmdTuples(handle).flatMap { Int(String(cString: $0)) } ?? 0 }

    /// The OID of a column's type.
    func columnType(_ column: Int) -> UInt32 { PQftype(handle, Int32(truncatingIfNeeded: column)) }

    func columnName(_ column: Int) -> String {
      PQfname(handle, Int32(truncatingIfNeeded: column)).map { String(cString: $0) } ?? ""
    }

    @inline(__always)
    func isNull(_ row: Int, _ column: Int) -> Bool {
      PQgetisnull(handle, Int32(truncatingIfNeeded: row), Int32(truncatingIfNeeded: column)) != 0
    }

    /// A value's binary form; empty for NULL.
    @inline(__always)
    func bytes(_ row: Int, _ column: Int) -> UnsafeRawBufferPointer {
      let row = Int32(truncatingIfNeeded: row), column = Int32(truncatingIfNeeded: column)
      return UnsafeRawBufferPointer(
        start: PQgetvalue(handle, row, column), count: Int(PQgetlength(handle, row, column)))
    }

    /// A number with as many bytes as its column's type. A column of another type, or NULL, is a mistake of the caller.
    @inline(__always)
    func number<Number: FixedWidthInteger>(_ row: Int, _ column: Int, as type: Number.Type = Number.self) -> Number {
      Self.number(bytes(row, column), as: type)
    }

    /// Reads a number from a value's binary form.
    @inline(__always)
    static func number<Number: FixedWidthInteger>(_ bytes: UnsafeRawBufferPointer, as type: Number.Type) -> Number {
      precondition(bytes.count == MemoryLayout<Number>.size, "the value is of another type, or NULL")
      return Number(bigEndian: bytes.loadUnaligned(as: Number.self))
    }
  }
#endif
