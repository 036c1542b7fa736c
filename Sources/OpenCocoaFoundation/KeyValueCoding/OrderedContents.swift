import Foundation

/// The contents that a live ordered set shows and changes.
package protocol OrderedContents {
  /// The elements as they are now.
  var elements: [Any] { get }

  var count: Int { get }

  /// A number that grows with the changes of the elements; nil if they are not counted.
  var generation: Int? { get }

  /// Adds elements that are not in the set yet. Each index counts after the elements before it were added.
  func insert(_ objects: [Any], at indexes: IndexSet)

  func remove(at indexes: IndexSet)

  /// Puts elements that are not there yet, or are at that index, in the places of others.
  func replace(at indexes: IndexSet, with objects: [Any])

  /// Moves elements, in their order, to where `index` is once they have been taken out.
  func move(at indexes: IndexSet, to index: Int)

  /// Puts two elements in each other's places.
  func exchange(_ first: Int, _ second: Int)

  /// The position of an element that is recognised by its identity, or that it has none; nil if elements are compared by
  /// their values.
  func position(of element: Any) -> Int??

  /// Takes the same elements in another order.
  func arrange(_ elements: [Any], _ change: ObservedChange)

  func set(_ elements: [Any], _ change: ObservedChange)

  /// Stops the program for an index that is out of bounds.
  func check(_ index: Int, _ count: Int, _ method: String)
}

/// A live ordered set of these elements.
package func liveOrderedSet(of contents: any OrderedContents) -> NSMutableOrderedSet { KeyValueOrderedSet(contents) }

/// A live ordered set of a property that is read and set as a whole.
package func liveOrderedSet(of object: any _KeyValueCodingAndObserving, _ key: String) -> NSMutableOrderedSet {
  KeyValueOrderedSet(of: object, key)
}

/// A property that is read and set as a whole.
extension CollectionProperty: OrderedContents {
  var count: Int { elements.count }

  var generation: Int? { nil }

  func insert(_ objects: [Any], at indexes: IndexSet) {
    var elements = elements
    for (object, index) in zip(objects, indexes) { elements.insert(object, at: index) }
    set(elements, .indexed(.insertion, indexes))
  }

  func remove(at indexes: IndexSet) {
    var elements = elements
    for index in indexes.reversed() { elements.remove(at: index) }
    set(elements, .indexed(.removal, indexes))
  }

  func replace(at indexes: IndexSet, with objects: [Any]) {
    var elements = elements
    for (object, index) in zip(objects, indexes) { elements[index] = object }
    set(elements, .indexed(.replacement, indexes))
  }

  func move(at indexes: IndexSet, to index: Int) {
    var elements = elements
    let moved = indexes.map { elements[$0] }
    for index in indexes.reversed() { elements.remove(at: index) }
    elements.insert(contentsOf: moved, at: index)
    set(elements, .setting)
  }

  func exchange(_ first: Int, _ second: Int) {
    var elements = elements
    elements.swapAt(first, second)
    set(elements, .indexed(.replacement, [first, second]))
  }

  func position(of element: Any) -> Int?? { nil }

  func arrange(_ elements: [Any], _ change: ObservedChange) { set(elements, change) }
}
