#if PostgreSQL
  import CPostgreSQL

  /// The arrays in which libpq takes a statement's values: kept by a connection, filled for each statement.
  struct ServerArguments {
    private var starts: [UnsafePointer<CChar>?] = []
    private var lengths: [Int32] = []
    private var formats: [Int32] = []

    /// Calls `body` with the number of values, where each starts, how long it is, and that all are binary.
    mutating func with<Result>(
      _ values: ServerValues,
      _ body: (
        Int32, UnsafePointer<UnsafePointer<CChar>?>?, UnsafePointer<Int32>?, UnsafePointer<Int32>?
      ) -> Result
    ) -> Result {
      if values.count == 0 { return body(0, nil, nil, nil) }
      return values.bytes.withUnsafeBytes { bytes in
        starts.removeAll(keepingCapacity: true)
        lengths.removeAll(keepingCapacity: true)
        for place in values.places {
          lengths.append(place.length)
          // A value of no bytes must have an address, too: without one it is NULL.
          let base = bytes.baseAddress ?? Self.somewhere
          starts.append(place.length < 0 ? nil : (base + place.offset).assumingMemoryBound(to: CChar.self))
        }
        while formats.count < values.count { formats.append(1) }
        return body(Int32(values.count), starts, lengths, formats)
      }
    }

    /// An address of which nothing is read.
    private static var somewhere: UnsafeRawPointer { UnsafeRawPointer(bitPattern: 8).unsafelyUnwrapped }  // 8 is not 0
  }
#endif
