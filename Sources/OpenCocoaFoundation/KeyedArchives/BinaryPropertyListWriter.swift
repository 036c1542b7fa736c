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

  /// The keys of dictionaries in their order, which many dictionaries of an archive have in common, and their numbers.
  private struct Arrangement {
    let keys: [String]
    let numbers: [Int]

    /// Returns the values of a dictionary with as many keys, in the order of the keys; nil if it has other keys.
    func values(of entries: [String: PropertyListValue]) -> [PropertyListValue]? {
      var values: [PropertyListValue] = []
      values.reserveCapacity(keys.count)
      for key in keys {
        // Characters such as the sign for kelvin equal characters of ASCII.
        guard let index = entries.index(forKey: key), entries[index].key.utf8.count == key.utf8.count else {
          return nil
        }
        values.append(entries[index].value)
      }
      return values
    }
  }

  private var items: [Item] = []
  /// The first arrangements of dictionaries, by the number of keys.
  private var arrangements: [Int: [Arrangement]] = [:]
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
      let (keys, values) = arranged(entries)
      items[index] = .dictionary(zip(keys, values).map { (key: $0, value: add($1)) })
    default: if let leaf { leaves[leaf] = index }
    }
    return index
  }

  /// Returns the numbers of a dictionary's keys, which get them here, and the values, both in the order of the keys.
  private mutating func arranged(
    _ entries: [String: PropertyListValue]
  ) -> (keys: [Int], values: [PropertyListValue]) {
    for known in arrangements[entries.count] ?? [] {
      if let values = known.values(of: entries) { return (known.numbers, values) }
    }
    let sorted = entries.sorted { Self.precedes($0.key, $1.key) }
    let numbers = sorted.map { add(.string($0.key)) }
    let isASCII = sorted.allSatisfy { $0.key.utf8.allSatisfy { $0 < 0x80 } }
    if isASCII, arrangements[entries.count, default: []].count < 8 {
      arrangements[entries.count, default: []].append(Arrangement(keys: sorted.map(\.key), numbers: numbers))
    }
    return (numbers, sorted.map(\.value))
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
}
