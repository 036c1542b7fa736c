/// Finds classes of managed objects that were compiled against another build of this framework.
///
/// A subclass has the size of its superclass's instances and the length of its superclass's method table built in. A build
/// system that keeps an old object file of the subclass lets the two disagree, and the program would write over its own
/// memory. Both are in the class metadata that the compiler emits, so that the disagreement can be seen before the first
/// object is made.
///
/// The check reads the metadata as Swift's ABI lays it out on platforms without Objective-C. Classes whose metadata the
/// run time fills in (generic ones, for instance) always agree.
struct ClassLayoutCheck {
  /// The metadata of a class, at its address point.
  let metadata: UnsafeRawPointer

  init(_ type: AnyClass) { metadata = unsafeBitCast(type, to: UnsafeRawPointer.self) }

  init(metadata: UnsafeRawPointer) { self.metadata = metadata }

  /// The disagreement of a class's layout with its superclasses up to `root`, in a sentence; nil where there is none.
  static func disagreement(of type: AnyClass, upTo root: AnyClass) -> String? {
    var type: AnyClass = type
    while type != root, let parent = ClassLayoutCheck(type).superclass {
      if let words = ClassLayoutCheck(type).disagreement(with: ClassLayoutCheck(parent)) {
        return """
          The class \(String(reflecting: type)) was compiled against another build of its superclass \
          \(String(reflecting: parent)): \(words). The build folder has kept an old object file. Remove it \
          ('swift package clean') and build again. The package manager sees such a change by itself where the target of \
          the class names the product CoreData among its own dependencies.
          """
      }
      type = parent
    }
    return nil
  }

  /// In which way the class disagrees with its superclass; nil when it does not.
  func disagreement(with parent: ClassLayoutCheck) -> String? {
    let expected = parent.words + newWords
    if words != expected { return "it has a method table of \(words) words, not of \(expected)" }
    let start = firstField ?? instanceSize
    // Between the superclass's fields and the first one of the class there may be padding, less than its alignment.
    let end = firstField == nil ? parent.instanceSize : parent.instanceSize + alignmentMask
    if !(parent.instanceSize...end).contains(start) {
      return "its own part of an object begins at byte \(start), where the superclass's ends at \(parent.instanceSize)"
    }
    return nil
  }

  // MARK: Swift's class metadata: after kind, superclass and flags

  private var superclass: AnyClass? { metadata.load(fromByteOffset: 8, as: AnyClass?.self) }

  private var instanceSize: Int { Int(metadata.load(fromByteOffset: 24, as: UInt32.self)) }

  private var alignmentMask: Int { Int(metadata.load(fromByteOffset: 28, as: UInt16.self)) }

  /// The length of the metadata from the address point on.
  private var words: Int {
    let size = metadata.load(fromByteOffset: 32, as: UInt32.self)
    return Int(size - metadata.load(fromByteOffset: 36, as: UInt32.self)) / MemoryLayout<UInt>.size
  }

  // MARK: The descriptor that the metadata points to: after flags, five relative references and two sizes

  private var descriptor: UnsafeRawPointer { metadata.load(fromByteOffset: 40, as: UnsafeRawPointer.self) }

  /// How many words of the metadata are the class's own.
  private var newWords: Int { Int(descriptor.load(fromByteOffset: 32, as: UInt32.self)) }

  /// Where the first stored property of the class lies in an instance; nil if it has none.
  private var firstField: Int? {
    guard descriptor.load(fromByteOffset: 36, as: UInt32.self) > 0 else { return nil }
    let place = Int(descriptor.load(fromByteOffset: 40, as: UInt32.self))
    return metadata.load(fromByteOffset: place * MemoryLayout<UInt>.size, as: Int.self)
  }
}
