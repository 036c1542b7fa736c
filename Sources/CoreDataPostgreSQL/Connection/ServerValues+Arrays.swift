#if PostgreSQL
  /// Arrays: one value whose elements are appended as values are.
  extension ServerValues {
    /// The array whose elements are being appended, if there is one.
    struct OpenArray: Sendable {
      var isOpen = false
      /// Where it begins.
      var offset = 0
      var count = 0
      var hasNulls = false
    }

    /// From here on each append is an element, NULL too, until `endArray`.
    /// - Parameter count: how many elements there will be, if that is known, so that the buffer grows once.
    mutating func beginArray(of elementType: UInt32, reserving count: Int = 0) {
      precondition(!array.isOpen, "arrays have no arrays as elements")
      array = OpenArray(isOpen: true, offset: bytes.count)
      bytes.reserve(20 + count * Self.usualLength(of: elementType))
      bytes.append(Int32(1))  // dimensions
      bytes.append(Int32(0))  // whether there are NULLs
      bytes.append(elementType)
      bytes.append(Int32(0))  // elements
      bytes.append(Int32(1))  // the first one's index
    }

    mutating func endArray() {
      precondition(array.isOpen, "no array was begun")
      array.isOpen = false
      if array.count == 0 {
        // An empty array has no dimensions.
        bytes.put(0, at: array.offset)
        bytes.removeLast(8)
      } else {
        bytes.put(array.hasNulls ? 1 : 0, at: array.offset + 4)
        bytes.put(UInt32(truncatingIfNeeded: array.count), at: array.offset + 12)
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
