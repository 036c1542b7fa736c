import Foundation

extension Array {
  /// The elements sorted by descriptors; equal ones keep their order.
  ///
  /// The values that are compared are read once for each element, and not once for each comparison.
  package func sorted(by descriptors: [NSSortDescriptor]) -> [Element] {
    guard count > 1, !descriptors.isEmpty else { return self }
    guard let keyed = descriptors as? [KeyedSortDescriptor], !keyed.contains(where: \.usesComparator) else {
      return enumerated().sorted { left, right in
        for descriptor in descriptors {
          let result = descriptor.compare(left.element, to: right.element)
          if result != .orderedSame { return result == .orderedAscending }
        }
        return left.offset < right.offset
      }.map(\.element)
    }
    let values = map { element in keyed.map { Operand($0.value(of: element)) } }
    let order = indices.sorted { left, right in
      for (index, descriptor) in keyed.enumerated() {
        let result = descriptor.order(of: values[left][index], values[right][index])
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
  package init?(of object: Any, by descriptors: [NSSortDescriptor]) {
    guard let keyed = descriptors as? [KeyedSortDescriptor], !keyed.contains(where: \.usesComparator) else {
      return nil
    }
    self.descriptors = keyed
    values = keyed.map { Operand($0.value(of: object)) }
  }

  /// Whether it is before another object's.
  package func isBefore(_ other: Any) -> Bool {
    for (descriptor, value) in zip(descriptors, values) {
      let result = descriptor.order(of: value, Operand(descriptor.value(of: other)))
      if result != .orderedSame { return (result == .orderedAscending) == descriptor.ascending }
    }
    return false
  }
}
