import Foundation

/// Reads binary property lists (bplist00). The bytes are not trusted: every offset, length and reference is checked, and the
/// depth of nesting is limited. The number of values is limited, too, because a short file can refer to the same value many
/// times.
package struct BinaryPropertyListReader {
  private let deepest: Int
  private let bytes: [UInt8]
  private var offsets: [Int] = []
  private var referenceSize = 1
  /// The number of values that may still be visited. A value that is not shared takes at least one byte of the file.
  private var budget: Int
  /// A cache of the text and data that have been read, because many dictionaries refer to the same keys.
  private var leaves: [Int: PropertyListValue] = [:]

  /// Returns the value at the top of a property list.
  /// - Parameter deepest: the greatest depth of nested values. The default is low, because keyed archives are flat.
  /// - Throws: `ArchiveProblem`.
  package static func read(_ data: Data, deepest: Int = 16) throws -> PropertyListValue {
    var reader = BinaryPropertyListReader(bytes: [UInt8](data), deepest: deepest)
    return try reader.value(at: try reader.readTrailer(), depth: 0)
  }

  private init(bytes: [UInt8], deepest: Int) {
    self.bytes = bytes
    self.deepest = deepest
    budget = bytes.count * 2
  }

  /// Reads the offset table and returns the number of the top object.
  private mutating func readTrailer() throws -> Int {
    guard bytes.count >= 40, bytes.starts(with: Array("bplist0".utf8)) else {
      throw ArchiveProblem("The file is no binary property list.")
    }
    let trailer = bytes.count - 32
    let offsetSize = Int(bytes[trailer + 6])
    referenceSize = Int(bytes[trailer + 7])
    guard (1...8).contains(offsetSize), (1...8).contains(referenceSize) else { throw damaged }
    let count = try unsigned(at: trailer + 8, size: 8)
    let top = try unsigned(at: trailer + 16, size: 8)
    let table = try unsigned(at: trailer + 24, size: 8)
    guard table >= 8, table <= trailer, count <= (trailer - table) / offsetSize, top < count else { throw damaged }
    offsets = try (0..<count).map { try unsigned(at: table + $0 * offsetSize, size: offsetSize) }
    return top
  }

  private mutating func value(at index: Int, depth: Int) throws -> PropertyListValue {
    budget -= 1
    guard index < offsets.count, depth < deepest, budget > 0 else { throw damaged }
    if let known = leaves[index] { return known }
    let value = try parse(index, depth: depth)
    switch value {
    case .string, .data: leaves[index] = value
    default: break
    }
    return value
  }

  private mutating func parse(_ index: Int, depth: Int) throws -> PropertyListValue {
    var position = offsets[index]
    guard position >= 8, position < bytes.count else { throw damaged }
    let marker = bytes[position]
    let low = Int(marker & 15)
    position += 1
    switch marker >> 4 {
    case 0 where marker == 8: return .bool(false)
    case 0 where marker == 9: return .bool(true)
    case 1: return try integer(at: position, size: 1 << low)
    case 2: return .real(try real(at: position, size: 1 << low))
    case 3 where low == 3: return .date(try real(at: position, size: 8))
    case 4: return .data(Data(try slice(&position, low, width: 1)))
    case 5: return .string(String(decoding: try slice(&position, low, width: 1), as: UTF8.self))
    case 6:
      let text = try slice(&position, low, width: 2)
      let units = stride(from: text.startIndex, to: text.endIndex, by: 2).map { place -> UInt16 in
        UInt16(text[place]) << 8 | UInt16(text[place + 1])
      }
      return .string(String(decoding: units, as: UTF16.self))
    case 8: return .uid(try unsigned(at: position, size: low + 1))
    case 10: return .array(try references(&position, low).map { try value(at: $0, depth: depth + 1) })
    case 13:
      let all = try references(&position, low, perEntry: 2)
      var result: [String: PropertyListValue] = [:]
      for (key, item) in zip(all.prefix(all.count / 2), all.dropFirst(all.count / 2)) {
        guard case .string(let name) = try value(at: key, depth: depth + 1) else { throw damaged }
        result[name] = try value(at: item, depth: depth + 1)
      }
      return .dictionary(result)
    default: throw ArchiveProblem("The property list has an object of unknown kind \(marker).")
    }
  }

  // MARK: Bytes

  private var damaged: ArchiveProblem { ArchiveProblem("The property list is damaged.") }

  private func unsigned(at position: Int, size: Int) throws -> Int {
    guard position >= 0, size <= bytes.count, position <= bytes.count - size else { throw damaged }
    var value: UInt64 = 0
    for byte in bytes[position..<(position + size)] {
      guard value >> 56 == 0 else { throw damaged }
      value = value << 8 | UInt64(byte)
    }
    guard let result = Int(exactly: value) else { throw damaged }
    return result
  }

  /// Reads an integer. Integers of up to 4 bytes are unsigned, those of 8 and 16 bytes are signed.
  private func integer(at position: Int, size: Int) throws -> PropertyListValue {
    guard size <= 16, position <= bytes.count - size else { throw damaged }
    let number = bytes[position..<(position + size)]
    let low = number.suffix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    guard size == 16 else { return .integer(Int64(bitPattern: low)) }
    switch number.prefix(8).reduce(UInt64(0), { $0 << 8 | UInt64($1) }) {
    case 0: return Int64(exactly: low).map(PropertyListValue.integer) ?? .unsigned(low)
    case .max where Int64(bitPattern: low) < 0: return .integer(Int64(bitPattern: low))
    default: throw ArchiveProblem("The property list has a number of more than 64 bits.")
    }
  }

  private func real(at position: Int, size: Int) throws -> Double {
    guard size == 4 || size == 8, position <= bytes.count - size else { throw damaged }
    let bits = bytes[position..<(position + size)].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    return size == 8
      ? Double(bitPattern: bits) : Double(Float(bitPattern: UInt32(truncatingIfNeeded: bits)))
  }

  /// Returns the number of elements, which is in the marker or in an integer object after it.
  private func count(_ position: inout Int, _ low: Int) throws -> Int {
    guard low == 15 else { return low }
    guard position < bytes.count, bytes[position] >> 4 == 1 else { throw damaged }
    let size = 1 << Int(bytes[position] & 15)
    guard size <= 8 else { throw damaged }
    let count = try unsigned(at: position + 1, size: size)
    position += 1 + size
    return count
  }

  private func slice(_ position: inout Int, _ low: Int, width: Int) throws -> ArraySlice<UInt8> {
    let count = try count(&position, low)
    guard position <= bytes.count, count <= (bytes.count - position) / width else { throw damaged }
    return bytes[position..<(position + count * width)]
  }

  private func references(_ position: inout Int, _ low: Int, perEntry: Int = 1) throws -> [Int] {
    let count = try count(&position, low)
    guard position <= bytes.count, count <= (bytes.count - position) / (referenceSize * perEntry) else { throw damaged }
    return try (0..<(count * perEntry)).map { try unsigned(at: position + $0 * referenceSize, size: referenceSize) }
  }
}
