import Foundation

// The bytes of single values.
extension BinaryPropertyListWriter {
  static func append(_ value: PropertyListValue, to output: inout [UInt8]) {
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

  static func appendInteger(_ number: Int64, to output: inout [UInt8]) {
    let size = number < 0 ? 8 : self.size(of: Int(number))
    output.append(UInt8(0x10 + size.trailingZeroBitCount))
    for shift in (0..<size).reversed() { output.append(UInt8(truncatingIfNeeded: number >> (shift * 8))) }
  }

  static func appendMarker(_ kind: UInt8, count: Int, to output: inout [UInt8]) {
    if count < 15 { return output.append(kind + UInt8(count)) }
    output.append(kind + 15)
    appendInteger(Int64(count), to: &output)
  }

  static func appendBits(_ bits: UInt64, to output: inout [UInt8]) {
    withUnsafeBytes(of: bits.bigEndian) { output.append(contentsOf: $0) }
  }

  static func append(_ number: Int, size: Int, to output: inout [UInt8]) {
    for shift in (0..<size).reversed() { output.append(UInt8(truncatingIfNeeded: number >> (shift * 8))) }
  }

  /// Returns the number of bytes that a non-negative number needs: 1, 2, 4 or 8.
  static func size(of number: Int) -> Int {
    number < 1 << 8 ? 1 : number < 1 << 16 ? 2 : number < 1 << 32 ? 4 : 8
  }
}
