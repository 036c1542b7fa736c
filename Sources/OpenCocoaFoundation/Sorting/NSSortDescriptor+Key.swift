import Foundation

extension NSSortDescriptor {
  /// Makes a descriptor that sorts by the values of a key path, in their natural order.
  ///
  /// - Parameters:
  ///   - key: The key path; nil sorts by the objects themselves.
  ///   - ascending: Whether the smallest value comes first.
  public convenience init(key: String?, ascending: Bool) {
    self.init(key: key, ascending: ascending, selector: nil)
  }

  /// Makes a descriptor that sorts by the values of a key path, in the order that a method gives them.
  ///
  /// - Parameters:
  ///   - key: The key path; nil sorts by the objects themselves.
  ///   - ascending: Whether the smallest value comes first.
  ///   - selector: `compare:` (also nil), `caseInsensitiveCompare:`, `localizedCompare:`,
  ///     `localizedCaseInsensitiveCompare:` or `localizedStandardCompare:`.
  public convenience init(key: String?, ascending: Bool, selector: Selector?) {
    let source = key.map(KeyedSortDescriptor.Source.key) ?? .evaluatedObject
    self.init(
      _factory: KeyedSortDescriptor(source: source, ascending: ascending, order: .selector(selector ?? "compare:")))
  }

  /// Makes a descriptor that sorts by the values of a key path, in the order that a block gives them.
  public convenience init(key: String?, ascending: Bool, comparator cmptr: @escaping Comparator) {
    let source = key.map(KeyedSortDescriptor.Source.key) ?? .evaluatedObject
    self.init(_factory: KeyedSortDescriptor(source: source, ascending: ascending, order: .comparator(cmptr)))
  }

  /// Makes a descriptor that sorts by a property of any type, an Optional for instance.
  ///
  /// Foundation's own initialiser, which Swift prefers, asks for a Comparable value.
  public convenience init<Root, Value>(keyPath: KeyPath<Root, Value>, ascending: Bool) {
    self.init(
      _factory: KeyedSortDescriptor(source: .keyPath(keyPath), ascending: ascending, order: .selector("compare:")))
  }

  /// The key path that the values are found by; nil when the objects themselves are sorted.
  ///
  /// For a descriptor made of a Swift key path it is the name that was registered with `OCDRegisterKeyPath(_:name:)`.
  public var key: String? {
    guard let descriptor = self as? KeyedSortDescriptor else { return KeyPathNames.name(of: keyPath) }
    switch descriptor.source {
    case .evaluatedObject: return nil
    case .key(let key): return key
    case .keyPath(let keyPath): return KeyPathNames.name(of: keyPath)
    }
  }

  /// The method that orders the values; nil when a block does.
  public var selector: Selector? {
    guard let descriptor = self as? KeyedSortDescriptor else { return usesComparator ? nil : "compare:" }
    if case .selector(let selector) = descriptor.order { return selector }
    return nil
  }

  /// Whether a block orders the values, which a store cannot do.
  package var usesComparator: Bool {
    guard let descriptor = self as? KeyedSortDescriptor else { return false }
    if case .comparator = descriptor.order { return true }
    return false
  }
}
