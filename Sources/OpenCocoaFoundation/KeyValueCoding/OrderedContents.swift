import Foundation

/// The elements that a live ordered set shows and changes.
package protocol OrderedContents {
  /// The current elements.
  var elements: [Any] { get }

  var count: Int { get }

  /// The number of changes of the elements; nil if changes are not counted.
  var generation: Int? { get }

  /// Inserts new elements. They are inserted in order, and an index is that of the element at its insertion.
  func insert(_ objects: [Any], at indexes: IndexSet)

  func remove(at indexes: IndexSet)

  /// Replaces the elements at some indexes. An object must be new, or must already be at its index.
  func replace(at indexes: IndexSet, with objects: [Any])

  /// Removes elements, and inserts them in the same order at `index`, which counts without the removed elements.
  func move(at indexes: IndexSet, to index: Int)

  /// Exchanges two elements.
  func exchange(_ first: Int, _ second: Int)

  /// Returns the position of an element, `.some(nil)` if it is not among the elements. Returns nil if elements are compared by
  /// their values instead of their identity.
  func position(of element: Any) -> Int??

  /// Sets the order of the elements; `elements` are the same elements in another order.
  func arrange(_ elements: [Any], _ change: ObservedChange)

  func set(_ elements: [Any], _ change: ObservedChange)

  /// Stops the program if an index is out of bounds.
  func check(_ index: Int, _ count: Int, _ method: String)
}

/// Makes a live ordered set of the given contents.
package func liveOrderedSet(of contents: any OrderedContents) -> NSMutableOrderedSet { KeyValueOrderedSet(contents) }

/// Makes a live ordered set of a property that is read and set as a whole.
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
