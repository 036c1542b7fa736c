import CRuntime
import Synchronization

/// A weak reference to one object, which all references share that must not keep the object alive. It becomes nil as soon as
/// the object is being released.
///
/// It uses `swift_tryRetain` under a lock, as `IdentityMap` does. Swift's own weak references would make all counting of
/// references to the object slower, and references to contexts and entities are counted for each object that is made or
/// saved.
package final class WeakReference: Sendable {
  private let address = Mutex<UInt>(0)

  /// Must be called once, when the object has been made.
  package func begin(_ object: AnyObject) {
    address.withLock { $0 = UInt(bitPattern: Unmanaged.passUnretained(object).toOpaque()) }
  }

  /// Must be called in the object's deinit. It waits until no thread is looking the object up, so that the memory stays
  /// valid for them.
  package func end() { address.withLock { $0 = 0 } }

  /// The object, unless it is gone or going.
  package var object: AnyObject? {
    address.withLock { address in
      guard let pointer = UnsafeMutableRawPointer(bitPattern: address), runtime_try_retain(pointer) != nil else {
        return nil
      }
      return Unmanaged<AnyObject>.fromOpaque(pointer).takeRetainedValue()
    }
  }
}

/// A class with one weak reference object for each instance: `reference` is made with the instance, and is cleared when
/// the instance is released.
package protocol WeaklyReferenced: AnyObject {
  var reference: WeakReference { get }
}

/// A property that does not keep the object it refers to.
@propertyWrapper
package struct WeaklyReferring<Object: WeaklyReferenced> {
  private var reference: WeakReference?

  package init() {}

  package init(_ object: Object) { reference = object.reference }

  package var wrappedValue: Object? {
    get { reference?.object.map { unsafeDowncast($0, to: Object.self) } }
    set { reference = newValue?.reference }
  }
}
