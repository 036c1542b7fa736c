import Foundation

extension NSSortDescriptor {
  /// Makes a descriptor that sorts by the values of a key path, in their natural order: numbers, dates, text by its
  /// characters; nil comes first.
  ///
  /// ```swift
  /// let request = NSFetchRequest<Page>(entityName: "Page")
  /// request.sortDescriptors = [
  ///   NSSortDescriptor(key: "entry.date", ascending: false), NSSortDescriptor(key: "text", ascending: true),
  /// ]
  /// print(try context.fetch(request).map { $0.text ?? "" })  // ["Evening", "Morning"]
  /// ```
  ///
  /// In a fetch the store sorts: the key is an attribute's, a path through to-one relationships, or a computed
  /// column's. What does not fit is 134060 of the fetch. In arrays, `sorted(using:)` of Foundation takes descriptors,
  /// too.
  ///
  /// - Parameters:
  ///   - key: The key path; nil sorts by the objects themselves.
  ///   - ascending: Whether the smallest value comes first.
  public convenience init(key: String?, ascending: Bool) {
    self.init(key: key, ascending: ascending, selector: nil)
  }

  /// Makes a descriptor that sorts by the values of a key path, in the order that a method gives them: for text as
  /// people sort it.
  ///
  /// ```swift
  /// let names = ["b10", "B9", "a"].map { ["name": $0] as NSDictionary } as NSArray
  /// let order = NSSortDescriptor(key: "name", ascending: true, selector: "localizedStandardCompare:")
  /// let sorted = names.sortedArray(using: [order]).compactMap { ($0 as? NSDictionary)?["name"] as? String }
  /// print(sorted)  // ["a", "B9", "b10"]
  /// ```
  ///
  /// A store compares such text by a function of the evaluator's, so it reads every row that matches; an index does not
  /// help.
  ///
  /// - Parameters:
  ///   - key: The key path; nil sorts by the objects themselves.
  ///   - ascending: Whether the smallest value comes first.
  ///   - selector: `compare:` (also nil), `caseInsensitiveCompare:`, `localizedCompare:`,
  ///     `localizedCaseInsensitiveCompare:` or `localizedStandardCompare:`. Another one is 134060 of a fetch, and stops
  ///     the program elsewhere.
  public convenience init(key: String?, ascending: Bool, selector: Selector?) {
    let source = key.map(KeyedSortDescriptor.Source.key) ?? .evaluatedObject
    self.init(
      _factory: KeyedSortDescriptor(source: source, ascending: ascending, order: .selector(selector ?? "compare:")))
  }

  /// Makes a descriptor that sorts by the values of a key path, in the order that a block gives them. For arrays: a
  /// store cannot sort by a block, and a fetch with it is 134060.
  public convenience init(key: String?, ascending: Bool, comparator cmptr: @escaping Comparator) {
    let source = key.map(KeyedSortDescriptor.Source.key) ?? .evaluatedObject
    self.init(_factory: KeyedSortDescriptor(source: source, ascending: ascending, order: .comparator(cmptr)))
  }

  /// Makes a descriptor that sorts by a property of any type, an Optional for instance. The compiler checks that there
  /// is such a property.
  ///
  /// ```swift
  /// let request = NSFetchRequest<Entry>(entityName: "Entry")
  /// request.sortDescriptors = [NSSortDescriptor(keyPath: \Entry.title, ascending: true)]
  /// print(request.sortDescriptors?.first?.key ?? "none")  // title
  /// print(try context.fetch(request).first?.title ?? "")  // Monday
  /// ```
  ///
  /// A fetch needs the key path's name. Managed classes that a build plugin has seen register theirs; of other classes,
  /// `OCDRegisterKeyPath(_:name:)` does it, and without it the fetch is 134060. Foundation's own initialiser, which
  /// Swift prefers, asks for a Comparable value.
  ///
  /// - Parameters:
  ///   - keyPath: The property.
  ///   - ascending: Whether the smallest value comes first.
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
