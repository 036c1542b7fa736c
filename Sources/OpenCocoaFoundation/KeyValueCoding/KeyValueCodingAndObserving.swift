import Foundation

/// Gives NSObject the members of key-value coding and key-value observing that Apple declares on it.
///
/// They are members of this protocol's extensions, so that a class may declare its own members with the same names; they are
/// `open` if subclasses override them. If a class wants its own members to be called through a reference of type NSObject, it
/// adopts `NSKeyValueCoding`, or `NSKeyValueObserving` if it only observes.
public protocol _KeyValueCodingAndObserving: AnyObject {}

/// Every object supports key-value coding and can be observed.
extension NSObject: _KeyValueCodingAndObserving {}

/// The pointer type of Apple's key-value validation. It is an ordinary pointer here, because there is no autorelease.
public typealias AutoreleasingUnsafeMutablePointer = UnsafeMutablePointer
