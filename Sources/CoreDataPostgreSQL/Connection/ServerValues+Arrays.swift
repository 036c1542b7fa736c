#if PostgreSQL
  /// Arrays: one value whose elements are appended as values are.
  extension ServerValues {
    /// An array whose elements are being appended.
    struct OpenArray: Sendable {
      /// Where it begins.
      let offset: Int
      var count = 0
      var hasNulls = false
    }

    /// From here on each append is an element, NULL too, until `endArray`.
    /// - Parameter count: how many elements there will be, if that is known, so that the buffer grows once.
    mutating func beginArray(of elementType: UInt32, reserving count: Int = 0) {
      precondition(array == nil, "arrays have no arrays as elements")
      array = OpenArray(offset: bytes.count)
      if count > 0 {
        let needed = bytes.count + 20 + count * Self.usualLength(of: elementType)
        // Twice as much at least: many small arrays in a row would copy the buffer each time.
        if needed > bytes.capacity { bytes.reserveCapacity(max(needed, 2 * bytes.capacity)) }
      }
      add(Int32(1))  // dimensions
      add(Int32(0))  // whether there are NULLs
      add(elementType)
      add(Int32(0))  // elements
      add(Int32(1))  // the first one's index
    }

    mutating func endArray() {
      guard let array else { preconditionFailure("no array was begun") }
      self.array = nil
      if array.count == 0 {
        // An empty array has no dimensions.
        put(0, at: array.offset)
        bytes.removeLast(8)
      } else {
        put(array.hasNulls ? 1 : 0, at: array.offset + 4)
        put(UInt32(array.count), at: array.offset + 12)
      }
      let length = bytes.count - array.offset
      if length > Self.maximumLength { note(.tooLong) }
      places.append(Place(offset: array.offset, length: Int32(truncatingIfNeeded: min(length, Self.maximumLength))))
    }

    /// A whole array of `int8`.
    mutating func append(array keys: some Sequence<Int64>) {
      beginArray(of: ServerType.int64, reserving: keys.underestimatedCount)
      for key in keys { append(key) }
      endArray()
    }

    private mutating func put(_ number: UInt32, at offset: Int) {
      withUnsafeBytes(of: number.bigEndian) { source in
        for (index, byte) in source.enumerated() { bytes[offset + index] = byte }
      }
    }

    /// How many bytes an element takes with its length before it, or is guessed to.
    private static func usualLength(of type: UInt32) -> Int {
      switch type {
      case ServerType.bool, ServerType.char: 5
      case ServerType.int16: 6
      case ServerType.int32, ServerType.float: 8
      case ServerType.int64, ServerType.double: 12
      case ServerType.uuid: 20
      default: 24
      }
    }
  }
#endif
