import CRuntime
import Synchronization

/// A weak reference to one object, shared by everything that must not keep the object alive. It is nil as soon as the
/// object is being released.
///
/// The reference is read with `swift_tryRetain` under the lock, as in `IdentityMap`. An object that has ever had one of
/// Swift's own weak references has slower reference counting from then on, and contexts and entities are retained and
/// released for each object that is made or saved.
package final class WeakReference: Sendable {
  private let address = Mutex<UInt>(0)

  /// Sets the object. Must be called once, when the object exists.
  package func begin(_ object: AnyObject) {
    address.withLock { $0 = UInt(bitPattern: Unmanaged.passUnretained(object).toOpaque()) }
  }

  /// Clears the reference. Must be called in the object's deinit. The call waits until no thread is looking the object
  /// up, so that the object's memory stays valid for such a thread.
  package func end() { address.withLock { $0 = 0 } }

  /// The object; nil if it has been released or is being released.
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
