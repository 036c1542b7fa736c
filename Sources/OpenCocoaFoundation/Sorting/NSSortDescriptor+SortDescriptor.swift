import Foundation

extension NSSortDescriptor {
  /// Makes the descriptor that sorts as a sort descriptor of Swift does.
  ///
  /// Properties of numbers, strings and dates become keys, which a store can sort by. Others have an order of their own;
  /// they sort in memory only, as with a block.
  public convenience init<Compared: NSObject>(_ sortDescriptor: SortDescriptor<Compared>) {
    let ascending = sortDescriptor.order == .forward
    if let keyPath = sortDescriptor.keyPath, Self.isNatural(sortDescriptor.stringComparator),
      PredicateConversion.isOrdered(unwrappedType(type(of: keyPath).valueType))
    {
      self.init(
        _factory: KeyedSortDescriptor(source: .keyPath(keyPath), ascending: ascending, order: .selector("compare:")))
      return
    }
    let comparator: Comparator = { left, right in
      guard let left = left as? Compared, let right = right as? Compared else {
        raise(.invalidArgument, "\(left) and \(right) are not both of the class \(Compared.self)")
      }
      let order = sortDescriptor.compare(left, right)
      return ascending ? order : order.reversed
    }
    self.init(
      _factory: KeyedSortDescriptor(source: .evaluatedObject, ascending: ascending, order: .comparator(comparator)))
  }

  /// Whether strings are ordered by their characters alone, the one order that Foundation has here.
  private static func isNatural(_ comparator: String.StandardComparator?) -> Bool {
    comparator.map { String.StandardComparator($0, order: .forward) == .lexical } ?? true
  }
}

extension SortDescriptor {
  /// Makes the sort descriptor of Swift that sorts as a descriptor does.
  ///
  /// Differs from Apple (D-PRE-17): a descriptor with a key that is a string gives nil, since no property is found by
  /// its name; so does the order of a locale, which Foundation's sort descriptors lack here.
  ///
  /// - Returns: nil when the descriptor sorts by anything but the natural order of a property of `comparedType`.
  public init?(_ descriptor: NSSortDescriptor, comparing comparedType: Compared.Type) where Compared: NSObject {
    guard descriptor.selector == "compare:", let keyPath = descriptor.swiftKeyPath else { return nil }
    let order: SortOrder = descriptor.ascending ? .forward : .reverse
    let type = unwrappedType(Swift.type(of: keyPath).valueType)
    guard PredicateConversion.isOrdered(type), let type = type as? any Comparable.Type,
      let made = Self.made(keyPath, type, order)
    else { return nil }
    self = made
  }

  private static func made<Value: Comparable>(
    _ keyPath: AnyKeyPath, _ type: Value.Type, _ order: SortOrder
  ) -> SortDescriptor? where Compared: NSObject {
    // The key path of a descriptor leads through properties; only the indexes of subscripts may not be Sendable.
    if let keyPath = keyPath as? KeyPath<Compared, Value> {
      return SortDescriptor(unsafeBitCast(keyPath, to: (any KeyPath<Compared, Value> & Sendable).self), order: order)
    }
    guard let keyPath = keyPath as? KeyPath<Compared, Value?> else { return nil }
    return SortDescriptor(unsafeBitCast(keyPath, to: (any KeyPath<Compared, Value?> & Sendable).self), order: order)
  }
}

extension NSSortDescriptor {
  /// The key path that the descriptor was made of.
  fileprivate var swiftKeyPath: AnyKeyPath? {
    guard let descriptor = self as? KeyedSortDescriptor else { return keyPath }
    if case .keyPath(let keyPath) = descriptor.source { return keyPath }
    return nil
  }
}
