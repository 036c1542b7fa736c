import Foundation

/// An array that equals no other array, for archiving. Foundation's archiver searches the objects that it has written for an
/// equal one. The hash of an array is its count, so the archiver would compare each array with all others of the same count.
final class ArchivedList: NSArray {
  private let parts: [Any]
  private let isMutable: Bool

  /// - Parameter isMutable: whether the array is archived as an NSMutableArray.
  init(_ parts: [Any], isMutable: Bool = false) {
    self.parts = parts
    self.isMutable = isMutable
    super.init(objects: nil, count: 0)
  }

  /// Required by NSArray; only Foundation's own methods call it.
  required init(objects: UnsafePointer<AnyObject>?, count: Int) {
    parts = (0..<count).compactMap { objects?[$0] }
    isMutable = false
    super.init(objects: nil, count: 0)
  }

  required convenience init(arrayLiteral elements: Any...) { self.init(elements) }

  required convenience init?(coder: NSCoder) { nil }

  override var count: Int { parts.count }

  override func object(at index: Int) -> Any { parts[index] }

  override var hash: Int { ObjectIdentifier(self).hashValue }

  override func isEqual(_ object: Any?) -> Bool { object as AnyObject === self }

  override var classForKeyedArchiver: AnyClass? { isMutable ? NSMutableArray.self : NSArray.self }
}
