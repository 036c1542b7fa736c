import Foundation

extension Array {
  /// Returns the elements sorted by descriptors. Stops the program if `checkedSorted(by:)` throws.
  package func sorted(by descriptors: [NSSortDescriptor]) -> [Element] {
    required { try checkedSorted(by: descriptors) }
  }

  /// Returns the elements sorted by descriptors. Equal elements keep their order.
  ///
  /// Unless a descriptor has a block or is Foundation's own, the values that are compared are read once for each element, not
  /// once for each comparison.
  ///
  /// - Throws: `OCDEvaluationError` for a key that an element does not have, and for strings if a selector is not supported.
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
    let columns = try SortColumn.columns(of: self, by: keyed)
    let order = try indices.sorted { left, right in
      for column in columns {
        let result = try column.order(of: left, right)
        if result != .orderedSame { return (result == .orderedAscending) == column.isAscending }
      }
      return left < right
    }
    return order.map { self[$0] }
  }
}

/// The place of an object in a sort order. The values that the object is sorted by are read only once.
package struct SortedPlace {
  private let descriptors: [KeyedSortDescriptor]
  private let values: [Operand]

  /// - Returns: nil if a descriptor has a block or is Foundation's own.
  /// - Throws: `OCDEvaluationError` for a key that the object does not have.
  package init?(of object: Any, by descriptors: [NSSortDescriptor]) throws {
    guard let keyed = descriptors as? [KeyedSortDescriptor], !keyed.contains(where: \.usesComparator) else {
      return nil
    }
    self.descriptors = keyed
    values = try keyed.map { Operand(try $0.value(of: object)) }
  }

  /// Whether the object comes before another object.
  package func isBefore(_ other: Any) throws -> Bool {
    for (descriptor, value) in zip(descriptors, values) {
      let result = try descriptor.order(of: value, Operand(try descriptor.value(of: other)))
      if result != .orderedSame { return (result == .orderedAscending) == descriptor.ascending }
    }
    return false
  }
}
