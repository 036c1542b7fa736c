import Foundation

/// Compiled comparisons of texts, which are compared where they lie in a row, without making strings.
enum TextTest {
  typealias Read = (NSObject, (UnsafeRawBufferPointer?) -> Void) -> Bool

  /// Compares a text for equality with a prepared constant.
  ///
  /// - Returns: nil for other operators and constants, and for the order of a locale.
  static func comparing(
    _ read: @escaping Read, _ evaluator: ComparisonEvaluator, _ constant: Operand
  ) -> CompiledTest? {
    guard evaluator.isEquality, case .string(let text) = constant else { return nil }
    let isEqual = evaluator.operation == .equalTo
    if evaluator.folds {
      return test(read, isNull: !isEqual) { bytes in
        StringBytes.equal(evaluator.folded(String(decoding: bytes, as: UTF8.self)), text) == isEqual
      }
    }
    guard isExact(text) else { return nil }
    let constant = ContiguousArray(text.utf8)
    return test(read, isNull: !isEqual) { bytes in
      constant.withUnsafeBytes { areEqual(bytes, $0) } == isEqual
    }
  }

  /// Makes a test of a text that is not nil.
  @inline(__always)
  static func test(
    _ read: @escaping Read, isNull: Bool, _ holds: @escaping (UnsafeRawBufferPointer) -> Bool
  ) -> CompiledTest {
    { object in
      var answer = isNull
      let isRead = read(object) { if let bytes = $0 { answer = holds(bytes) } }
      return isRead ? CompiledAnswer(answer) : .unknown
    }
  }

  /// Whether a string equals the text of any bytes only if their bytes are the same.
  ///
  /// A row may have bytes that are no UTF-8. In its text there are replacement characters in their place.
  static func isExact(_ text: String) -> Bool { !text.unicodeScalars.contains("\u{FFFD}") }

  @inline(__always)
  static func areEqual(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Bool {
    guard left.count == right.count else { return false }
    guard let leftBase = left.baseAddress, let rightBase = right.baseAddress else { return true }
    return memcmp(leftBase, rightBase, left.count) == 0
  }
}

extension TextTest {
  /// The order of two texts by their scalars; nil if the bytes do not tell, since they may be no UTF-8.
  static func order(of left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> ComparisonResult? {
    let count = min(left.count, right.count)
    var place = 0
    while place + 8 <= count {
      let a = left.loadUnaligned(fromByteOffset: place, as: UInt64.self)
      let b = right.loadUnaligned(fromByteOffset: place, as: UInt64.self)
      if a != b {
        place += UInt64(littleEndian: a ^ b).trailingZeroBitCount >> 3
        break
      }
      place += 8
    }
    while place < count, left[place] == right[place] { place += 1 }
    // The bytes before are equal, and an ASCII character begins anew whatever was before it.
    let a = place < left.count ? left[place] : 0, b = place < right.count ? right[place] : 0
    guard a < 0x80, b < 0x80 else { return nil }
    if place == count {
      return left.count < right.count ? .orderedAscending : left.count > right.count ? .orderedDescending : .orderedSame
    }
    return a < b ? .orderedAscending : .orderedDescending
  }
}

/// The texts of a constant collection, found by their bytes.
struct TextSet {
  /// The place of a text among the bytes; open addressing, with a negative start for no text.
  private struct Place {
    var start: Int32
    var count: Int32
    var hash: UInt32
  }

  private var bytes: ContiguousArray<UInt8> = []
  private var places: ContiguousArray<Place>
  private let mask: Int

  /// - Returns: nil if the texts are too many or too long for the table.
  init?(_ texts: [String]) {
    guard texts.count < 1 << 24, texts.reduce(0, { $0 + $1.utf8.count }) < Int(Int32.max) else { return nil }
    var size = 16
    while size < texts.count * 2 { size *= 2 }
    mask = size - 1
    places = ContiguousArray(repeating: Place(start: -1, count: 0, hash: 0), count: size)
    for text in texts { insert(ContiguousArray(text.utf8)) }
  }

  private mutating func insert(_ text: ContiguousArray<UInt8>) {
    let hash = text.withUnsafeBytes(Self.hash)
    var place = Int(hash) & mask
    while places[place].start >= 0 { place = (place + 1) & mask }
    places[place] = Place(start: Int32(bytes.count), count: Int32(text.count), hash: hash)
    bytes.append(contentsOf: text)
  }

  func contains(_ text: UnsafeRawBufferPointer) -> Bool {
    let hash = Self.hash(text)
    return bytes.withUnsafeBytes { bytes in
      var place = Int(hash) & mask
      while places[place].start >= 0 {
        let found = places[place]
        if found.hash == hash, Int(found.count) == text.count {
          let start = Int(found.start)
          if TextTest.areEqual(UnsafeRawBufferPointer(rebasing: bytes[start..<start + text.count]), text) {
            return true
          }
        }
        place = (place + 1) & mask
      }
      return false
    }
  }

  /// The standard library's hash, whose seed differs from run to run, so that nobody can choose texts that collide.
  private static func hash(_ text: UnsafeRawBufferPointer) -> UInt32 {
    var hasher = Hasher()
    hasher.combine(bytes: text)
    return UInt32(truncatingIfNeeded: hasher.finalize())
  }
}
