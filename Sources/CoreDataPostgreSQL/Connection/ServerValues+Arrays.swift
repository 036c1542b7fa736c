#if PostgreSQL
  /// Arrays: an array is one value, and its elements are appended in the same way as values.
  extension ServerValues {
    /// The array whose elements are being appended, if there is one.
    struct OpenArray: Sendable {
      var isOpen = false
      /// The offset at which the array begins.
      var offset = 0
      var count = 0
      var hasNulls = false
    }

    /// Begins an array: until `endArray`, each append adds an element, and so does `appendNull`.
    /// - Parameter count: how many elements there will be, if that is known, so that the buffer grows once.
    mutating func beginArray(of elementType: UInt32, reserving count: Int = 0) {
      precondition(!array.isOpen, "arrays have no arrays as elements")
      array = OpenArray(isOpen: true, offset: bytes.count)
      if count > 8 { bytes.reserve(20 + count * Self.usualLength(of: elementType)) }
      let place = bytes.grow(by: 20)
      place.storeBytes(of: UInt32(1).bigEndian, as: UInt32.self)  // dimensions
      (place + 4).storeBytes(of: 0, as: UInt32.self)  // whether there are NULLs
      (place + 8).storeBytes(of: elementType.bigEndian, as: UInt32.self)
      (place + 12).storeBytes(of: 0, as: UInt32.self)  // elements
      (place + 16).storeBytes(of: UInt32(1).bigEndian, as: UInt32.self)  // the first one's index
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

    /// Makes room for whole arrays at once; otherwise the buffer would move to larger memory several times as the
    /// arrays are added.
    mutating func reserve(_ count: Int, of types: some Sequence<UInt32>) {
      bytes.reserve(types.reduce(0) { $0 + 20 + count * Self.usualLength(of: $1) })
    }

    /// Appends a whole array of `int8`.
    mutating func append(array keys: some Sequence<Int64>) {
      beginArray(of: ServerType.int64, reserving: keys.underestimatedCount)
      for key in keys { append(key) }
      endArray()
    }

    /// How many bytes an element takes with its length before it; a guess for types of variable length.
    static func usualLength(of type: UInt32) -> Int {
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
