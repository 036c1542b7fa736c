import Foundation

/// Gives NSObject the members of key-value coding and key-value observing that Apple declares on it.
///
/// They are members of this protocol's extensions, so that a class may declare its own of the same name, as `open` ones
/// where its subclasses override them. A class whose own members are to be found through a reference of type NSObject
/// adopts `NSKeyValueCoding`, or `NSKeyValueObserving` if it only observes.
public protocol _KeyValueCodingAndObserving: AnyObject {}

/// Every object answers to key-value coding, and can be observed.
extension NSObject: _KeyValueCodingAndObserving {}

/// The pointer that Apple's key-value validation takes. Here it is a plain pointer, since objects are not autoreleased.
public typealias AutoreleasingUnsafeMutablePointer = UnsafeMutablePointer
