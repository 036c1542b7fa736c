import CRuntime
import Synchronization

/// A weak reference to one object, shared by everything that must not keep it alive. It is nil as soon as the object is
/// being released.
///
/// By way of `swift_tryRetain` under the lock, as in `IdentityMap`. An object that Swift's own weak references have known is
/// counted in a slower way ever after, and contexts and entities are counted for each object that is made or saved.
package final class WeakReference: Sendable {
  private let address = Mutex<UInt>(0)

  /// To be called once, when the object is there.
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
