import Foundation

/// Writes binary property lists (bplist00). Equal values share one object, and dictionaries are sorted by key, so that the
/// same value is always written as the same bytes.
package struct BinaryPropertyListWriter {
  private enum Item {
    case value(PropertyListValue)
    case array([Int])
    case dictionary([(key: Int, value: Int)])
  }

  /// A value that shares its object with values of the same bytes. Equal strings and equal numbers may have different bytes.
  private enum Leaf: Hashable {
    case text(Text)
    case integer(Int64)
    case uid(Int)
    case real(UInt64)
    case date(UInt64)
    case other(PropertyListValue)

    init?(_ value: PropertyListValue) {
      switch value {
      case .string(let text): self = .text(Text(text: text))
      case .integer(let number): self = .integer(number)
      case .uid(let number): self = .uid(number)
      case .real(let number): self = .real(number.bitPattern)
      case .date(let seconds): self = .date(seconds.bitPattern)
      case .array, .dictionary: return nil
      default: self = .other(value)
      }
    }
  }

  /// A string that equals only strings with the same bytes.
  private struct Text: Hashable {
    let text: String

    static func == (first: Text, second: Text) -> Bool {
      var (first, second) = (first.text, second.text)
      return first.withUTF8 { first in
        second.withUTF8 { second in
          // An empty string may have no address.
          guard first.count == second.count, let start = first.baseAddress, let other = second.baseAddress else {
            return first.count == second.count
          }
          return memcmp(start, other, first.count) == 0
        }
      }
    }

    func hash(into hasher: inout Hasher) {
      var text = text
      text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }
  }

  private var items: [Item] = []
  private var leaves: [Leaf: Int] = [:]

  /// Returns the bytes of a property list.
  package static func write(_ value: PropertyListValue) -> Data {
    var writer = BinaryPropertyListWriter()
    _ = writer.add(value)
    return writer.serialized()
  }

  /// Gives a value and its contents their numbers, and returns the value's number. A container gets its number before its
  /// contents, so that the top value has the number 0.
  private mutating func add(_ value: PropertyListValue) -> Int {
    let leaf = Leaf(value)
    if let leaf, let known = leaves[leaf] { return known }
    let index = items.count
    items.append(.value(value))
    switch value {
    case .array(let elements): items[index] = .array(elements.map { add($0) })
    case .dictionary(let entries):
      let sorted = entries.sorted { Self.precedes($0.key, $1.key) }
      var members = sorted.map { (key: add(.string($0.key)), value: 0) }
      for place in members.indices { members[place].value = add(sorted[place].value) }
      items[index] = .dictionary(members)
    default: if let leaf { leaves[leaf] = index }
    }
    return index
  }

  private func serialized() -> Data {
    let referenceSize = Self.size(of: items.count)
    // The bytes are collected in an array, because each append to Foundation's Data takes about a hundred instructions.
    var output = Array("bplist00".utf8)
    output.reserveCapacity(items.count * 16)
    var offsets: [Int] = []
    for item in items {
      offsets.append(output.count)
      switch item {
      case .value(let value): Self.append(value, to: &output)
      case .array(let elements):
        Self.appendMarker(0xA0, count: elements.count, to: &output)
        for element in elements { Self.append(element, size: referenceSize, to: &output) }
      case .dictionary(let entries):
        Self.appendMarker(0xD0, count: entries.count, to: &output)
        for entry in entries { Self.append(entry.key, size: referenceSize, to: &output) }
        for entry in entries { Self.append(entry.value, size: referenceSize, to: &output) }
      }
    }
    let table = output.count
    let offsetSize = Self.size(of: table)
    for offset in offsets { Self.append(offset, size: offsetSize, to: &output) }
    output.append(contentsOf: [0, 0, 0, 0, 0, 0, UInt8(offsetSize), UInt8(referenceSize)])
    for number in [items.count, 0, table] { Self.append(number, size: 8, to: &output) }
    return Data(output)
  }

  /// Whether the first string comes before the second in the order of their bytes.
  private static func precedes(_ first: String, _ second: String) -> Bool {
    var (first, second) = (first, second)
    return first.withUTF8 { first in
      second.withUTF8 { second in
        // An empty string may have no address.
        guard let start = first.baseAddress, let other = second.baseAddress else { return first.count < second.count }
        let order = memcmp(start, other, min(first.count, second.count))
        return order == 0 ? first.count < second.count : order < 0
      }
    }
  }

  // MARK: Bytes

  private static func append(_ value: PropertyListValue, to output: inout [UInt8]) {
    switch value {
    case .bool(let flag): output.append(flag ? 9 : 8)
    case .integer(let number): appendInteger(number, to: &output)
    case .unsigned(let number):
      output.append(0x14)
      appendBits(0, to: &output)
      appendBits(number, to: &output)
    case .real(let number):
      output.append(0x23)
      appendBits(number.bitPattern, to: &output)
    case .date(let seconds):
      output.append(0x33)
      appendBits(seconds.bitPattern, to: &output)
    case .data(let data):
      appendMarker(0x40, count: data.count, to: &output)
      output.append(contentsOf: data)
    case .string(let text):
      if text.utf8.allSatisfy({ $0 < 0x80 }) {
        appendMarker(0x50, count: text.utf8.count, to: &output)
        output.append(contentsOf: text.utf8)
      } else {
        appendMarker(0x60, count: text.utf16.count, to: &output)
        for unit in text.utf16 { append(Int(unit), size: 2, to: &output) }
      }
    case .uid(let number):
      let size = size(of: number)
      output.append(UInt8(0x80 + size - 1))
      append(number, size: size, to: &output)
    case .array, .dictionary: break  // Containers are written as other cases of Item.
    }
  }

  private static func appendInteger(_ number: Int64, to output: inout [UInt8]) {
    let size = number < 0 ? 8 : self.size(of: Int(number))
    output.append(UInt8(0x10 + size.trailingZeroBitCount))
    for shift in (0..<size).reversed() { output.append(UInt8(truncatingIfNeeded: number >> (shift * 8))) }
  }

  private static func appendMarker(_ kind: UInt8, count: Int, to output: inout [UInt8]) {
    if count < 15 { return output.append(kind + UInt8(count)) }
    output.append(kind + 15)
    appendInteger(Int64(count), to: &output)
  }

  private static func appendBits(_ bits: UInt64, to output: inout [UInt8]) {
    withUnsafeBytes(of: bits.bigEndian) { output.append(contentsOf: $0) }
  }

  private static func append(_ number: Int, size: Int, to output: inout [UInt8]) {
    for shift in (0..<size).reversed() { output.append(UInt8(truncatingIfNeeded: number >> (shift * 8))) }
  }

  /// Returns the number of bytes that a non-negative number needs: 1, 2, 4 or 8.
  private static func size(of number: Int) -> Int {
    number < 1 << 8 ? 1 : number < 1 << 16 ? 2 : number < 1 << 32 ? 4 : 8
  }
}
