import Foundation

/// An iterator over the objects of a Foundation collection.
///
/// Code names it as the iterator of a sequence that wraps such a collection:
/// ```swift
/// struct Names: Sequence {
///   let names: NSOrderedSet
///   func makeIterator() -> NSFastEnumerationIterator { NSFastEnumerationIterator(names) }
/// }
/// print(Names(names: ["Ada", "Bob"]).map { "\($0)" })  // ["Ada", "Bob"]
/// ```
///
/// Differs from Apple (D-SRC-19): it takes the collections below, and no other class that conforms to `NSFastEnumeration`,
/// which needs the Objective-C run time. The `makeIterator()` of Foundation's collections returns iterators of other types.
public struct NSFastEnumerationIterator: IteratorProtocol {
  private var iterator: any IteratorProtocol

  /// Creates an iterator over the elements of an array.
  public init(_ enumerable: NSArray) { iterator = enumerable.makeIterator() }

  /// Creates an iterator over the elements of a set, in no particular order.
  public init(_ enumerable: NSSet) { iterator = enumerable.makeIterator() }

  /// Creates an iterator over the elements of an ordered set, in their order.
  public init(_ enumerable: NSOrderedSet) { iterator = enumerable.makeIterator() }

  /// Creates an iterator over the keys of a dictionary, in no particular order.
  public init(_ enumerable: NSDictionary) { iterator = enumerable.keyEnumerator().makeIterator() }

  /// Creates an iterator over what an enumerator has left.
  public init(_ enumerable: NSEnumerator) { iterator = enumerable.makeIterator() }

  /// Returns the next object, nil at the end.
  public mutating func next() -> Any? { iterator.next() }
}
