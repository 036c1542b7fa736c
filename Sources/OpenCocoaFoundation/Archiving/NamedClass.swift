import Foundation

/// Makes classes that have a name and a superclass, and nothing else.
///
/// Foundation's archiver writes the name of `classForKeyedArchiver`. It leaves out the module only for classes of
/// Foundation itself. `NSKeyedArchiver.setClassName(_:for:)` has no effect on Linux: it stores a name under one spelling of
/// the class and looks it up under another. So this type makes the classes that Apple's archives name and Foundation lacks.
/// They have no instances.
enum NamedClass {
  private final class Pattern: NSObject {}

  private static let word = MemoryLayout<Int>.size

  /// Makes a class of the given name in the module Foundation; returns nil if the memory layout of classes is not the one
  /// that this type knows.
  static func make(_ name: String, superclass: AnyClass) -> AnyClass? {
    guard isLayoutKnown else { return nil }
    let pattern = unsafeBitCast(Pattern.self as AnyClass, to: UnsafeRawPointer.self)
    let start = Int(pattern.load(fromByteOffset: startOffset, as: UInt32.self))
    let size = Int(pattern.load(fromByteOffset: sizeOffset, as: UInt32.self))
    // Classes live as long as the process, so this memory is never freed.
    let copy = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 16)
    copy.copyMemory(from: pattern - start, byteCount: size)
    let made = copy + start
    made.storeBytes(
      of: unsafeBitCast(superclass, to: UnsafeRawPointer.self), toByteOffset: word, as: UnsafeRawPointer.self)
    made.storeBytes(of: descriptor(name), toByteOffset: descriptorOffset, as: UnsafeRawPointer.self)
    let type: AnyClass = unsafeBitCast(UnsafeRawPointer(made), to: AnyClass.self)
    return NSStringFromClass(type) == name ? type : nil
  }

  // MARK: Layout

  // The layout of a class: kind, superclass, flags, size of an instance, size of the class, offset of the class's address
  // from its start, descriptor.
  private static let sizeOffset = 2 * word + 16
  private static let startOffset = 2 * word + 20
  private static let descriptorOffset = 2 * word + 24
  /// The flags of the descriptor of a class: the kind "class", and "unique".
  private static let classFlags: UInt32 = 0x50
  /// The flags of the descriptor of a module.
  private static let moduleFlags: UInt32 = 0x40

  /// Whether the class `Pattern`, compiled with this file, has the expected layout.
  private static let isLayoutKnown: Bool = {
    let pattern = unsafeBitCast(Pattern.self as AnyClass, to: UnsafeRawPointer.self)
    let size = pattern.load(fromByteOffset: sizeOffset, as: UInt32.self)
    let start = pattern.load(fromByteOffset: startOffset, as: UInt32.self)
    guard
      pattern.load(fromByteOffset: word, as: UnsafeRawPointer.self)
        == unsafeBitCast(NSObject.self as AnyClass, to: UnsafeRawPointer.self),
      size < 4096, Int(start) + descriptorOffset + word <= Int(size), Int(start) % word == 0, Int(size) % word == 0
    else { return false }
    let descriptor = pattern.load(fromByteOffset: descriptorOffset, as: UnsafeRawPointer.self)
    guard descriptor.load(as: UInt32.self) & 0x7F == classFlags else { return false }
    let name = descriptor + 8
    return String(cString: (name + Int(name.load(as: Int32.self))).assumingMemoryBound(to: CChar.self)) == "Pattern"
  }()

  /// Makes a descriptor of a class in a module: flags, parent and name. Parent and name are given as distances from the
  /// address of the field.
  private static func descriptor(_ name: String) -> UnsafeRawPointer {
    let module = [UInt8]("Foundation".utf8) + [0]
    let name = [UInt8](name.utf8) + [0]
    // The rest of a descriptor stays zero: no fields, no methods.
    let (moduleDescriptor, classDescriptor, names) = (0, 16, 96)
    let size = names + module.count + name.count
    let block = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 16)
    block.initializeMemory(as: UInt8.self, repeating: 0, count: size)
    func point(_ place: Int, to target: Int) {
      block.storeBytes(of: Int32(target - place), toByteOffset: place, as: Int32.self)
    }
    block.storeBytes(of: moduleFlags, toByteOffset: moduleDescriptor, as: UInt32.self)
    point(moduleDescriptor + 8, to: names)
    block.storeBytes(of: classFlags, toByteOffset: classDescriptor, as: UInt32.self)
    point(classDescriptor + 4, to: moduleDescriptor)
    point(classDescriptor + 8, to: names + module.count)
    (block + names).copyMemory(from: module, byteCount: module.count)
    (block + names + module.count).copyMemory(from: name, byteCount: name.count)
    return UnsafeRawPointer(block + classDescriptor)
  }
}
