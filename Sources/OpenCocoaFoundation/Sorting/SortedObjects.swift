import Foundation

extension Array {
  /// The elements sorted by descriptors; stops the program where `checkedSorted(by:)` throws.
  package func sorted(by descriptors: [NSSortDescriptor]) -> [Element] {
    required { try checkedSorted(by: descriptors) }
  }

  /// The elements sorted by descriptors; equal ones keep their order.
  ///
  /// The values that are compared are read once for each element, and not once for each comparison.
  ///
  /// - Throws: `OCDEvaluationError` for a key that an element does not have, and for a selector that orders no strings.
  package func checkedSorted(by descriptors: [NSSortDescriptor]) throws -> [Element] {
    guard count > 1, !descriptors.isEmpty else { return self }
    guard let keyed = descriptors as? [KeyedSortDescriptor], !keyed.contains(where: \.usesComparator) else {
      return try enumerated().sorted { left, right in
        for descriptor in descriptors {
          let result = try descriptor.checkedCompare(left.element, to: right.element)
          if result != .orderedSame { return result == .orderedAscending }
        }
        return left.offset < right.offset
      }.map(\.element)
    }
    let values = try map { element in try keyed.map { Operand(try $0.value(of: element)) } }
    let order = try indices.sorted { left, right in
      for (index, descriptor) in keyed.enumerated() {
        let result = try descriptor.order(of: values[left][index], values[right][index])
        if result != .orderedSame { return (result == .orderedAscending) == descriptor.ascending }
      }
      return left < right
    }
    return order.map { self[$0] }
  }
}

/// An object's place in an order: what it is sorted by, read once.
package struct SortedPlace {
  private let descriptors: [KeyedSortDescriptor]
  private let values: [Operand]

  /// - Returns: nil where a block orders the objects.
  /// - Throws: `OCDEvaluationError` for a key that the object does not have.
  package init?(of object: Any, by descriptors: [NSSortDescriptor]) throws {
    guard let keyed = descriptors as? [KeyedSortDescriptor], !keyed.contains(where: \.usesComparator) else {
      return nil
    }
    self.descriptors = keyed
    values = try keyed.map { Operand(try $0.value(of: object)) }
  }

  /// Whether the value comes before another object's value.
  package func isBefore(_ other: Any) throws -> Bool {
    for (descriptor, value) in zip(descriptors, values) {
      let result = try descriptor.order(of: value, Operand(try descriptor.value(of: other)))
      if result != .orderedSame { return (result == .orderedAscending) == descriptor.ascending }
    }
    return false
  }
}
