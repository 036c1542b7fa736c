import Foundation
import OpenCocoaFoundation

extension PredicateLowering {
  /// The sort keys of a select. Rows without a value come first, as with sort descriptors in memory.
  package func order(_ descriptors: [NSSortDescriptor]) throws -> [SQLOrder] {
    let descriptors = Self.distinct(descriptors)
    let limit = model.dialect.limits.orderTerms
    guard descriptors.count <= limit else {
      throw SQLLoweringError.make(
        "\(descriptors.count) sort descriptors with different keys: a store of this kind takes \(limit) at most")
    }
    return try descriptors.map { descriptor in
      guard !descriptor.usesComparator, let selector = descriptor.selector else {
        throw SQLLoweringError.make("unsupported NSSortDescriptor (comparator blocks are not supported)")
      }
      guard let key = descriptor.key else {
        throw SQLLoweringError.make("unsupported NSSortDescriptor (no key): \(descriptor)")
      }
      guard case .scalar(let scalar) = try sortKey(key) else { throw SQLLoweringError.toMany(key) }
      if scalar.kind == .composite {
        throw SQLLoweringError.make("unsupported NSSortDescriptor (composite attribute): \(key)")
      }
      if case .key = scalar.kind, scalar.row === row { throw SQLLoweringError.keyPathNotFound(key, in: row.entity) }
      return SQLOrder(
        expression: try collated(scalar, selector), isDescending: !descriptor.ascending)
    }
  }

  /// Returns the descriptors without those that have the key and selector of an earlier one, because these change
  /// nothing.
  private static func distinct(_ descriptors: [NSSortDescriptor]) -> [NSSortDescriptor] {
    struct Order: Hashable {
      let key: String
      let selector: Selector
    }
    var seen: Set<Order> = []
    return descriptors.filter { descriptor in
      guard let key = descriptor.key, let selector = descriptor.selector, !descriptor.usesComparator else {
        return true
      }
      return seen.insert(Order(key: key, selector: selector)).inserted
    }
  }

  /// Returns the value of a key path, or the value that a fetch of dictionaries computes under that name.
  private func sortKey(_ key: String) throws -> SQLOperand {
    if let value = values[key], row.entity.property(named: key) == nil { return .scalar(value) }
    return try resolve(key, from: row)
  }

  private func collated(_ scalar: SQLScalar, _ selector: Selector) throws -> SQLExpression {
    guard let order = StringOrder(selector) else {
      throw SQLLoweringError.make("unsupported NSSortDescriptor selector: \(selector)")
    }
    guard let collation = SQLCollation(order) else { return scalar.bytes }
    return scalar.kind.isText ? .collated(scalar.expression, collation) : scalar.bytes
  }
}
