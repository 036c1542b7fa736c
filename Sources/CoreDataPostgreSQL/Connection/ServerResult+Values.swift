#if PostgreSQL
  import Foundation

  /// The values of a result, none of which may be NULL.
  extension ServerResult {
    @inline(__always)
    func bool(_ row: Int, _ column: Int) -> Bool { number(row, column, as: UInt8.self) != 0 }

    /// A value of the type `"char"`.
    @inline(__always)
    func char(_ row: Int, _ column: Int) -> UInt8 { number(row, column) }

    @inline(__always)
    func int16(_ row: Int, _ column: Int) -> Int16 { number(row, column) }

    @inline(__always)
    func int32(_ row: Int, _ column: Int) -> Int32 { number(row, column) }

    @inline(__always)
    func int64(_ row: Int, _ column: Int) -> Int64 { number(row, column) }

    @inline(__always)
    func float(_ row: Int, _ column: Int) -> Float { Float(bitPattern: number(row, column)) }

    @inline(__always)
    func double(_ row: Int, _ column: Int) -> Double { Double(bitPattern: number(row, column)) }

    func string(_ row: Int, _ column: Int) -> String { String(decoding: bytes(row, column), as: UTF8.self) }

    func data(_ row: Int, _ column: Int) -> Data { Data(bytes(row, column)) }

    func uuid(_ row: Int, _ column: Int) -> UUID {
      let bytes = bytes(row, column)
      precondition(bytes.count == 16, "the value is of another type, or NULL")
      return UUID(uuid: bytes.loadUnaligned(as: uuid_t.self))
    }

    /// A `numeric`. The number is rounded if it has more digits than a `Decimal`, and not a number if it is too great
    /// or infinite.
    func decimal(_ row: Int, _ column: Int) -> Decimal { NumericForm.decimal(of: bytes(row, column)) }

    // MARK: Arrays

    /// An `int8[]` without NULLs; empty for NULL, which `array_agg` returns if there are no rows.
    func int64Array(_ row: Int, _ column: Int) -> ContiguousArray<Int64> { array(row, column, of: ServerType.int64) }

    /// An `int4[]` without NULLs; empty for NULL.
    func int32Array(_ row: Int, _ column: Int) -> ContiguousArray<Int32> { array(row, column, of: ServerType.int32) }

    private func array<Number: FixedWidthInteger>(
      _ row: Int, _ column: Int, of type: UInt32
    ) -> ContiguousArray<Number> {
      let bytes = bytes(row, column)
      guard bytes.count > 0 else { return [] }
      func word(_ index: Int) -> UInt32 {
        UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: 4 * index, as: UInt32.self))
      }
      precondition(bytes.count >= 12 && word(2) == type, "the value is of another type")
      if word(0) == 0 { return [] }
      let count = Int(word(3)), step = 4 + MemoryLayout<Number>.size
      // An array with a NULL is shorter, because a NULL has only a length and no value.
      precondition(word(0) == 1 && bytes.count == 20 + count * step, "the array has NULLs, or more dimensions than one")
      return ContiguousArray(unsafeUninitializedCapacity: count) { buffer, filled in
        var offset = 24
        for index in 0..<count {
          buffer.initializeElement(
            at: index, to: Number(bigEndian: bytes.loadUnaligned(fromByteOffset: offset, as: Number.self)))
          offset += step
        }
        filled = count
      }
    }
  }
#endif
