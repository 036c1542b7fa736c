import Foundation

extension NSSortDescriptor {
  /// Makes a descriptor that sorts in the same order as a sort descriptor of Swift.
  ///
  /// A property with a number, a string or a date becomes a key, which a store can sort by. With any other property or order
  /// the descriptor sorts by a block, in memory only.
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

  /// Converts a typed sort descriptor over any class or struct to one that a store can sort by.
  ///
  /// ```swift
  /// let descriptor = try NSSortDescriptor(converting: SortDescriptor(\Entry.words, order: .reverse))
  /// print(descriptor.key ?? "", descriptor.ascending)  // words false
  /// ```
  ///
  /// Not in Apple's framework (D-EXT-30).
  /// - Throws: `OCDConversionError` for a property without a name, for values with an order of their own, and for a comparator
  ///   that no store knows.
  public convenience init<Compared>(converting sortDescriptor: SortDescriptor<Compared>) throws {
    guard let keyPath = sortDescriptor.keyPath else {
      throw OCDConversionError(
        .function, "A comparator of its own", "cannot be called by a store", instead: "Sort by a stored property.")
    }
    guard KeyPathNames.name(of: keyPath) != nil else { throw OCDConversionError.unnamed(keyPath) }
    let type = unwrappedType(type(of: keyPath).valueType)
    guard PredicateConversion.isOrdered(type) else { throw OCDConversionError.unordered(type) }
    guard Self.isNatural(sortDescriptor.stringComparator) else {
      throw OCDConversionError(
        .function, "The comparator of \(OCDConversionError.text(of: keyPath))", "is not known to a store",
        instead: "Use `.lexical`, or an NSSortDescriptor with `localizedStandardCompare:`.")
    }
    self.init(
      _factory: KeyedSortDescriptor(
        source: .keyPath(keyPath), ascending: sortDescriptor.order == .forward, order: .selector("compare:")))
  }

  /// Whether strings are compared only by their characters, the only order of Foundation's string comparators on this platform.
  private static func isNatural(_ comparator: String.StandardComparator?) -> Bool {
    comparator.map { String.StandardComparator($0, order: .forward) == .lexical } ?? true
  }
}

extension SortDescriptor {
  /// Makes a sort descriptor of Swift that sorts in the same order as an NSSortDescriptor.
  ///
  /// Differs from Apple (D-PRE-17): for a descriptor with a string as its key the result is nil, because Swift cannot find a
  /// property by its name. It is also nil for a localized order, which Foundation's sort descriptors lack on this platform.
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
    // The cast is safe: the key path of a descriptor leads through properties, and only subscript indexes in a key path might
    // not be Sendable.
    if let keyPath = keyPath as? KeyPath<Compared, Value> {
      return SortDescriptor(unsafeBitCast(keyPath, to: (any KeyPath<Compared, Value> & Sendable).self), order: order)
    }
    guard let keyPath = keyPath as? KeyPath<Compared, Value?> else { return nil }
    return SortDescriptor(unsafeBitCast(keyPath, to: (any KeyPath<Compared, Value?> & Sendable).self), order: order)
  }
}

extension NSSortDescriptor {
  /// The Swift key path that the descriptor was made of; nil if it was made of something else.
  fileprivate var swiftKeyPath: AnyKeyPath? {
    guard let descriptor = self as? KeyedSortDescriptor else { return keyPath }
    if case .keyPath(let keyPath) = descriptor.source { return keyPath }
    return nil
  }
}
