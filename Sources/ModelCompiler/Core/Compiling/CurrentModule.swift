import Foundation

/// Adds the module's name to classes of "Current Product Module", whose names begin with a dot in source models:
/// `.Animal` becomes `Shop.Animal`, the name by which `NSClassFromString` finds the class.
enum CurrentModule {
  private static let attribute = Array("representedClassName".utf8)

  /// Returns the file with full class names. All other bytes are unchanged.
  static func qualify(_ xml: Data, with module: String) -> Data {
    let bytes = [UInt8](xml)
    var result = Data(capacity: bytes.count)
    var copied = 0
    for place in places(bytes) {
      result.append(contentsOf: bytes[copied..<place])
      result.append(contentsOf: module.utf8)
      copied = place
    }
    result.append(contentsOf: bytes[copied...])
    return result
  }

  /// Returns the places of the dots.
  private static func places(_ bytes: [UInt8]) -> [Int] {
    var result: [Int] = []
    var index = 0
    while let open = bytes[index...].firstIndex(of: UInt8(ascii: "<")) {
      let tag = bytes[open...]
      if tag.starts(with: "<!--".utf8) {
        index = end(of: "-->", in: bytes, from: open + 4)
      } else if tag.starts(with: "<![CDATA[".utf8) {
        index = end(of: "]]>", in: bytes, from: open + 9)
      } else {
        let isEntity = tag.starts(with: "<entity".utf8) && tag.dropFirst(7).first.map(isSpace) == true
        index = end(ofTag: open + 1, bytes) { name, value in
          guard isEntity, name.elementsEqual(attribute), bytes[value].first == UInt8(ascii: "."), value.count > 1,
            !bytes[value].elementsEqual(".NSManagedObject".utf8)
          else { return }
          result.append(value.lowerBound)
        }
      }
    }
    return result
  }

  /// Returns the place after a tag, and calls `found` with each attribute of the tag.
  private static func end(
    ofTag start: Int, _ bytes: [UInt8], _ found: (_ name: ArraySlice<UInt8>, _ value: Range<Int>) -> Void
  ) -> Int {
    var index = start
    // The name is the text between a space and the equals sign.
    var name = start..<start
    var isInName = false
    while index < bytes.count, bytes[index] != UInt8(ascii: ">") {
      let byte = bytes[index]
      if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
        let close = bytes[(index + 1)...].firstIndex(of: byte) ?? bytes.count
        found(bytes[name], (index + 1)..<close)
        index = min(close + 1, bytes.count)
        isInName = false
        continue
      }
      if isSpace(byte) || byte == UInt8(ascii: "=") {
        isInName = false
      } else {
        name = (isInName ? name.lowerBound : index)..<(index + 1)
        isInName = true
      }
      index += 1
    }
    return min(index + 1, bytes.count)
  }

  private static func end(of marker: String, in bytes: [UInt8], from start: Int) -> Int {
    var index = start
    while index < bytes.count {
      if bytes[index...].starts(with: marker.utf8) { return index + marker.utf8.count }
      index += 1
    }
    return bytes.count
  }

  private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D }
}
