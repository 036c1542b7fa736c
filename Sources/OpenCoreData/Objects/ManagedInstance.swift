import CRuntime
import CocoaFoundation
import Foundation

/// Makes objects of classes that are known only at run time, through the initialiser that the class may override.
///
/// Swift calls an initialiser through a metatype only if it is `required`, and then `override init(entity:insertInto:)`,
/// which much existing source has, would not compile. So the initialiser is found in the class's vtable: its place is the
/// one word in which a subclass that overrides nothing else differs from NSManagedObject.
enum ManagedInstance {
  private final class Probe: NSManagedObject {
    override init(entity: NSEntityDescription, insertInto context: NSManagedObjectContext?) {
      super.init(entity: entity, insertInto: context)
    }
  }

  /// The word of the class metadata that holds `init(entity:insertInto:)`.
  private static let place: Int = {
    let base = metadata(NSManagedObject.self), probe = metadata(Probe.self)
    let start = UnsafeRawPointer(base)
    // Swift class metadata: after kind, superclass and the two words of the object's own: flags, address point,
    // instance size, alignment; then the size of the metadata and where in it the address point lies.
    let size = Int(start.load(fromByteOffset: 32, as: UInt32.self))
    let addressPoint = Int(start.load(fromByteOffset: 36, as: UInt32.self))
    let inherited = Int(metadataSize(NSObject.self))
    let candidates = (inherited..<(size - addressPoint) / 8).filter { base[$0] != probe[$0] }
    guard candidates.count == 1, let place = candidates.first else {
      fatalError("This Swift run time lays classes out in a way that is not known: \(candidates.count) candidates.")
    }
    return place
  }()

  /// A new object of `type`, inserted into `context`, or in no context yet.
  static func make(
    _ type: NSManagedObject.Type, entity: NSEntityDescription, into context: NSManagedObjectContext? = nil
  ) -> NSManagedObject {
    let words = metadata(type)
    guard let function = UnsafeRawPointer(bitPattern: words[place]) else {
      fatalError("\(type) has no init(entity:insertInto:).")
    }
    let object = runtime_call_initializer(
      function, Unmanaged.passRetained(entity).toOpaque(), context.map { Unmanaged.passRetained($0).toOpaque() },
      UnsafeRawPointer(words))
    return Unmanaged<NSManagedObject>.fromOpaque(object).takeRetainedValue()
  }

  private static func metadata(_ type: AnyClass) -> UnsafePointer<UInt> {
    unsafeBitCast(type, to: UnsafePointer<UInt>.self)
  }

  private static func metadataSize(_ type: AnyClass) -> Int {
    let start = UnsafeRawPointer(metadata(type))
    return Int(start.load(fromByteOffset: 32, as: UInt32.self) - start.load(fromByteOffset: 36, as: UInt32.self)) / 8
  }
}
