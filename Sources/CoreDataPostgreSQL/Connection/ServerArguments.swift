#if PostgreSQL
  import CPostgreSQL

  /// The arrays in which libpq takes a statement's values. A connection keeps them and fills them for each statement.
  struct ServerArguments {
    private var starts: [UnsafePointer<CChar>?] = []
    private var lengths: [Int32] = []
    private var formats: [Int32] = []

    /// Calls `body` with the number of values, where each value starts, how long it is, and its format, which is always
    /// binary.
    mutating func with<Result>(
      _ values: ServerValues,
      _ body: (
        Int32, UnsafePointer<UnsafePointer<CChar>?>?, UnsafePointer<Int32>?, UnsafePointer<Int32>?
      ) -> Result
    ) -> Result {
      if values.count == 0 { return body(0, nil, nil, nil) }
      while starts.count < values.count {
        starts.append(nil)
        lengths.append(0)
        formats.append(1)
      }
      return values.bytes.withUnsafeBytes { bytes in
        // A value of no bytes must have an address, too: libpq takes a value without an address for NULL.
        let base = bytes.baseAddress ?? Self.somewhere
        return starts.withUnsafeMutableBufferPointer { starts in
          lengths.withUnsafeMutableBufferPointer { lengths in
            var index = 0
            for place in values.places {
              lengths[index] = place.length
              starts[index] = place.length < 0 ? nil : (base + place.offset).assumingMemoryBound(to: CChar.self)
              index += 1
            }
            return formats.withUnsafeBufferPointer {
              body(Int32(index), UnsafePointer(starts.baseAddress), UnsafePointer(lengths.baseAddress), $0.baseAddress)
            }
          }
        }
      }
    }

    /// An address from which nothing is read.
    private static var somewhere: UnsafeRawPointer { UnsafeRawPointer(bitPattern: 8).unsafelyUnwrapped }  // 8 is not 0
  }
#endif
