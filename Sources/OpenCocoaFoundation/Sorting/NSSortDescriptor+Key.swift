import Foundation

extension NSSortDescriptor {
  /// Makes a descriptor that sorts by the values of a key path in their natural order: numbers and dates by their values, text
  /// by its characters. Nil comes first.
  ///
  /// ```swift
  /// let request = NSFetchRequest<Page>(entityName: "Page")
  /// request.sortDescriptors = [
  ///   NSSortDescriptor(key: "entry.date", ascending: false), NSSortDescriptor(key: "text", ascending: true),
  /// ]
  /// print(try context.fetch(request).map { $0.text ?? "" })  // ["Evening", "Morning"]
  /// ```
  ///
  /// In a fetch the store sorts. The key must be that of an attribute or a computed column, or a path through to-one
  /// relationships; a fetch throws 134060 for any other key. Arrays can be sorted by descriptors with Foundation's
  /// `sorted(using:)`.
  ///
  /// - Parameters:
  ///   - key: The key path; nil sorts by the objects themselves.
  ///   - ascending: Whether the smallest value comes first.
  public convenience init(key: String?, ascending: Bool) {
    self.init(key: key, ascending: ascending, selector: nil)
  }

  /// Makes a descriptor that sorts by the values of a key path in the order of a method, for example text in the order that
  /// people expect.
  ///
  /// ```swift
  /// let names = ["b10", "B9", "a"].map { ["name": $0] as NSDictionary } as NSArray
  /// let order = NSSortDescriptor(key: "name", ascending: true, selector: "localizedStandardCompare:")
  /// let sorted = names.sortedArray(using: [order]).compactMap { ($0 as? NSDictionary)?["name"] as? String }
  /// print(sorted)  // ["a", "B9", "b10"]
  /// ```
  ///
  /// A store compares such text with a function of the evaluator. So it reads every row that matches, and cannot use an index
  /// to sort.
  ///
  /// - Parameters:
  ///   - key: The key path; nil sorts by the objects themselves.
  ///   - ascending: Whether the smallest value comes first.
  ///   - selector: `compare:` (also nil), `caseInsensitiveCompare:`, `localizedCompare:`,
  ///     `localizedCaseInsensitiveCompare:` or `localizedStandardCompare:`. With any other selector, a fetch throws 134060, and
  ///     sorting elsewhere stops the program.
  public convenience init(key: String?, ascending: Bool, selector: Selector?) {
    let source = key.map(KeyedSortDescriptor.Source.key) ?? .evaluatedObject
    self.init(
      _factory: KeyedSortDescriptor(source: source, ascending: ascending, order: .selector(selector ?? "compare:")))
  }

  /// Makes a descriptor that sorts by the values of a key path in the order of a block. It is for arrays only: a store cannot
  /// sort by a block, and a fetch with such a descriptor throws 134060.
  public convenience init(key: String?, ascending: Bool, comparator cmptr: @escaping Comparator) {
    let source = key.map(KeyedSortDescriptor.Source.key) ?? .evaluatedObject
    self.init(_factory: KeyedSortDescriptor(source: source, ascending: ascending, order: .comparator(cmptr)))
  }

  /// Makes a descriptor that sorts by a property of any type, for example an Optional. The compiler checks that the property
  /// exists.
  ///
  /// ```swift
  /// let request = NSFetchRequest<Entry>(entityName: "Entry")
  /// request.sortDescriptors = [NSSortDescriptor(keyPath: \Entry.title, ascending: true)]
  /// print(request.sortDescriptors?.first?.key ?? "none")  // title
  /// print(try context.fetch(request).first?.title ?? "")  // Monday
  /// ```
  ///
  /// A fetch needs the name of the key path. A managed class that a build plugin has processed registers the names of its key
  /// paths; for other classes call `OCDRegisterKeyPath(_:name:)`. A fetch throws 134060 for a key path without a name.
  /// Foundation's own initialiser, which Swift prefers, requires a Comparable value.
  ///
  /// - Parameters:
  ///   - keyPath: The property.
  ///   - ascending: Whether the smallest value comes first.
  public convenience init<Root, Value>(keyPath: KeyPath<Root, Value>, ascending: Bool) {
    self.init(
      _factory: KeyedSortDescriptor(source: .keyPath(keyPath), ascending: ascending, order: .selector("compare:")))
  }

  /// The key path of the values; nil if the objects themselves are compared.
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

  /// The method that orders the values; nil if a block orders them.
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
