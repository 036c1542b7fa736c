import Foundation

/// The parts of a Swift key path, each with what tells its property from others.
///
/// A key path prints a computed property by the address of its getter, which in optimised programs is one of several copies,
/// so that the same property prints differently in two files. The words by which the standard library compares key paths are
/// the same everywhere. It does not hand them out; they are read from where it keeps them, on systems with pointers of eight
/// bytes, and only if a key path of this file is laid out as expected.
enum KeyPathComponents {
  /// The identity of a property.
  struct Property: Hashable {
    /// The type from which the property is read, if the word alone is not unique.
    fileprivate var root: ObjectIdentifier?
    /// Whether the property is computed.
    fileprivate var isComputed: Bool
    /// The address of a computed property's identifier, or the offset of a stored property.
    fileprivate var word: UInt
  }

  /// The properties that a key path leads through; nil where they cannot be told.
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
        // The offset, unless it is too large to stand here.
        guard header & 0x7F_FFFF < 0x7F_FFF0 else { return nil }
        properties.append(
          Property(root: ObjectIdentifier(root), isComputed: false, word: UInt(header & 0x7F_FFFF)))
      case 2:
        // A subscript has arguments.
        guard header & 0x08_0000 == 0 else { return nil }
        position = aligned(position)
        let words = header & 0x40_0000 == 0 ? 2 : 3
        guard position + words * pointer <= end else { return nil }
        // Each class has its own numbers of stored properties and its own table of methods.
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

  // MARK: Whether it is as expected

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
