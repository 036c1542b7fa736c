import Foundation

/// Identifies the properties that a Swift key path leads through.
///
/// The text of a key path shows a computed property as the address of its getter. In optimised programs a getter may have
/// several copies, so that the same property has different texts in two files. The standard library compares key paths by
/// words that are the same everywhere, but it does not publish them. So this type reads the words from the memory of the key
/// path. It does this only on systems with pointers of eight bytes, and only if a key path of this file has the expected layout.
enum KeyPathComponents {
  /// The identity of a property.
  struct Property: Hashable {
    /// The type that has the property; nil if the word alone identifies the property.
    fileprivate var root: ObjectIdentifier?
    /// Whether the property is computed.
    fileprivate var isComputed: Bool
    /// The word that identifies a computed property, or the offset of a stored property.
    fileprivate var word: UInt
  }

  /// Returns the properties that a key path leads through; nil if they cannot be identified.
  static func properties(of keyPath: AnyKeyPath) -> [Property]? { isKnown ? read(keyPath) : nil }

  // MARK: The layout

  private static let firstComponent = 32
  private static let pointer = 8

  private static func read(_ keyPath: AnyKeyPath) -> [Property]? {
    let bytes = UnsafeRawPointer(Unmanaged.passUnretained(keyPath).toOpaque())
    let size = Int(bytes.load(fromByteOffset: firstComponent - pointer, as: UInt32.self) & 0xFF_FFFF)
    let end = firstComponent + size
    var position = firstComponent
    var root: Any.Type = type(of: keyPath).rootType
    var properties: [Property] = []
    while position + 4 <= end {
      let header = bytes.load(fromByteOffset: position, as: UInt32.self)
      position += 4
      switch header >> 24 & 0x7F {
      case 1, 3:
        // A stored property. The header contains the offset, unless the offset is too large for it.
        guard header & 0x7F_FFFF < 0x7F_FFF0 else { return nil }
        properties.append(
          Property(root: ObjectIdentifier(root), isComputed: false, word: UInt(header & 0x7F_FFFF)))
      case 2:
        // A computed property. If it has arguments, it is a subscript.
        guard header & 0x08_0000 == 0 else { return nil }
        position = aligned(position)
        let words = header & 0x40_0000 == 0 ? 2 : 3
        guard position + words * pointer <= end else { return nil }
        // The word may be the number of a stored property, or an index into the table of a class. It identifies the property
        // only together with the class.
        let isRelative = header & 0x30_0000 != 0
        properties.append(
          Property(
            root: isRelative ? ObjectIdentifier(root) : nil, isComputed: true,
            word: bytes.load(fromByteOffset: position, as: UInt.self)))
        position += words * pointer
      case 4: break  // ? or !
      default: return nil
      }
      if position >= end { return properties }
      position = aligned(position)
      guard position + pointer <= end else { return nil }
      root = bytes.load(fromByteOffset: position, as: Any.Type.self)
      position += pointer
    }
    return properties
  }

  private static func aligned(_ position: Int) -> Int { (position + pointer - 1) & ~(pointer - 1) }

  // MARK: Check of the layout

  private class Probe {
    var next: Probe? { nil }
    var number: Int {
      get { 0 }
      set {}
    }
  }

  private static let isKnown: Bool = {
    guard MemoryLayout<UInt>.size == pointer, let next = read(\Probe.next), let number = read(\Probe.number) else {
      return false
    }
    return next.count == 1 && number.count == 1 && next != number && read(\Probe.next?.number) == next + number
      && read(\Probe.next?.next?.number) == next + next + number
  }()
}
