import Foundation
import OpenCocoaFoundation

/// Makes objects of classes that are known only at run time, and knows what such a class overrides.
enum ManagedInstance {
  /// A subclass that overrides nothing. Its table of methods differs from NSManagedObject's in the initialisers alone, since
  /// an inherited `required` initialiser is the subclass's own.
  private final class PlainProbe: NSManagedObject {}

  private final class ValidationProbe: NSManagedObject {
    override func validateValue(_ value: Any?, forKey key: String) throws {
      // The body differs from the overridden method's, so that the optimizer cannot make one function of the two.
      throw CancellationError()
    }
  }

  private final class PointerValidationProbe: NSManagedObject {
    override func validateValue(_ value: AutoreleasingUnsafeMutablePointer<AnyObject?>, forKey key: String) throws {
      throw CancellationError()
    }
  }

  private final class ValueProbe: NSManagedObject {
    override func value(forKey key: String) -> Any? {
      willAccessValue(forKey: key)
      return nil
    }
  }

  private final class DidSaveProbe: NSManagedObject {
    override func didSave() { willChangeValue(forKey: "didSave") }
  }

  /// The words of a subclass's metadata that hold initialisers.
  private static let initializerPlaces = overriddenPlaces(in: PlainProbe.self)

  /// The word of the class metadata that holds `validateValue(_:forKey:)`.
  private static let validationPlace = place(overriddenIn: ValidationProbe.self)

  /// The word of the class metadata that holds the `validateValue(_:forKey:)` that takes a pointer.
  private static let pointerValidationPlace = place(overriddenIn: PointerValidationProbe.self)

  /// The word of the class metadata that holds `didSave()`.
  private static let didSavePlace = place(overriddenIn: DidSaveProbe.self)

  /// The word of the class metadata that holds `value(forKey:)`.
  private static let valuePlace = place(overriddenIn: ValueProbe.self)

  private static func place(overriddenIn probe: NSManagedObject.Type) -> Int? {
    let candidates = overriddenPlaces(in: probe).filter { !initializerPlaces.contains($0) }
    return candidates.count == 1 ? candidates.first : nil
  }

  /// Whether the class has a `validateValue(_:forKey:)` of its own: a save then has to call it.
  static func overridesValidateValue(_ type: NSManagedObject.Type) -> Bool { overrides(type, validationPlace) }

  /// Whether the class has a `validateValue(_:forKey:)` of its own that takes a pointer.
  static func overridesValidatePointer(_ type: NSManagedObject.Type) -> Bool { overrides(type, pointerValidationPlace) }

  /// Whether the class has a `didSave()` of its own, which may read the values of an object that was deleted.
  static func overridesDidSave(_ type: NSManagedObject.Type) -> Bool { overrides(type, didSavePlace) }

  /// Whether the class has a `value(forKey:)` of its own, so that values may differ from what is stored.
  static func overridesValueForKey(_ type: NSManagedObject.Type) -> Bool { overrides(type, valuePlace) }

  private static func overrides(_ type: NSManagedObject.Type, _ place: Int?) -> Bool {
    guard let place else { return true }
    return metadata(type)[place] != metadata(NSManagedObject.self)[place]
  }

  private static func overriddenPlaces(in subclass: NSManagedObject.Type) -> [Int] {
    let base = metadata(NSManagedObject.self), probe = metadata(subclass)
    let start = UnsafeRawPointer(base)
    // Swift class metadata: kind, superclass and two words that belong to Objective-C; then flags, address point,
    // instance size and alignment; then the size of the metadata and where in it the address point lies.
    let size = Int(start.load(fromByteOffset: 32, as: UInt32.self))
    let addressPoint = Int(start.load(fromByteOffset: 36, as: UInt32.self))
    let inherited = Int(metadataSize(NSObject.self))
    return (inherited..<(size - addressPoint) / 8).filter { base[$0] != probe[$0] }
  }

  /// A new object of `type`, inserted into `context`, or in no context yet.
  static func make(_ layout: EntityLayout, into context: NSManagedObjectContext? = nil) -> NSManagedObject {
    layout.objectClass.init(entity: layout.entity, insertInto: context)
  }

  private static func metadata(_ type: AnyClass) -> UnsafePointer<UInt> {
    unsafeBitCast(type, to: UnsafePointer<UInt>.self)
  }

  private static func metadataSize(_ type: AnyClass) -> Int {
    let start = UnsafeRawPointer(metadata(type))
    return Int(start.load(fromByteOffset: 32, as: UInt32.self) - start.load(fromByteOffset: 36, as: UInt32.self)) / 8
  }
}
