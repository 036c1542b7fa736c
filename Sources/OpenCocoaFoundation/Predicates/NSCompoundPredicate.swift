import Foundation

/// A predicate that combines others by AND, OR or NOT, for example conditions that depend on the choices of a user.
///
/// ```swift
/// var conditions = [NSPredicate(format: "words > 50")]
/// let onlyPinned = true
/// if onlyPinned { conditions.append(NSPredicate(format: "isPinned == YES")) }
/// let all = NSCompoundPredicate(andPredicateWithSubpredicates: conditions)
/// let any = NSCompoundPredicate(orPredicateWithSubpredicates: conditions)
/// print(all)  // words > 50 AND isPinned == 1
/// let request = NSFetchRequest<Entry>(entityName: "Entry")
/// request.predicate = all
/// let count = try context.count(for: request)
/// request.predicate = any
/// print(count, try context.count(for: request))  // 1 3
/// ```
///
/// `andPredicateWithSubpredicates:` of no predicates is true, `orPredicateWithSubpredicates:` of no predicates is false. Write a
/// long list of alternatives as `key IN %@`, which is one condition. Compound predicates in SQL may nest to any depth (D-PRE-22).
///
/// The class inherits its storage and its initialisers from Foundation's class of the same name. So code that imports only
/// Foundation can use its instances as instances of that class (D-SRC-11).
open class NSCompoundPredicate: Foundation.NSCompoundPredicate {
  /// The number of levels of the predicate's tree.
  let levels: Int32

  /// The compound compiled for the objects that it was evaluated with.
  let compiled = ShapeCache<CompiledTest>()

  /// Makes a predicate that combines others. The initialisers for AND, OR and NOT call this one.
  ///
  /// ```swift
  /// let long = NSPredicate(format: "words >= 100")
  /// let short = NSCompoundPredicate(notPredicateWithSubpredicate: long)
  /// print(short.compoundPredicateType == .not, short.evaluate(with: ["words": 80]))  // true true
  /// ```
  /// - Parameters:
  ///   - type: how the subpredicates are combined; NOT takes one.
  ///   - subpredicates: the predicates to combine. They are evaluated in order until the result is known.
  public override init(type: LogicalType, subpredicates: [NSPredicate]) {
    levels = Self.levels(of: subpredicates)
    super.init(type: type, subpredicates: subpredicates)
  }

  /// Decodes a compound that was archived here or by Apple's frameworks.
  ///
  /// Returns nil and reports an error (4864) to the coder if the archive is no compound.
  public required init?(coder: NSCoder) {
    guard let (type, subpredicates) = Self.parts(coder) else { return nil }
    levels = Self.levels(of: subpredicates)
    super.init(type: type, subpredicates: subpredicates)
  }

  deinit {
    if levels > TreeRelease.depth { TreeRelease.releaseLater(subpredicates) }
  }

  private static func levels(of parts: [NSPredicate]) -> Int32 { 1 + parts.reduce(0) { max($0, $1.depth) } }

  /// Evaluates the subpredicates until the result is known. AND of no predicates is true, OR of no predicates is false. Stops the
  /// program if the evaluation of a subpredicate fails (D-ERR-01).
  open override func evaluate(with object: Any?, substitutionVariables bindings: [String: Any]?) -> Bool {
    if let object, let answer = compiledAnswer(for: object) { return answer }
    return EvaluatorQuestion.answering(self, otherwise: false) { try combined(for: object, bindings) }
  }

  /// The text of the predicate in the format language.
  open override var predicateFormat: String { description }

  open override var description: String { PredicatePrinter.text(of: self) }

  open override var classForKeyedArchiver: AnyClass? {
    type(of: self) == NSCompoundPredicate.self ? Foundation.NSCompoundPredicate.self : type(of: self)
  }

  /// Returns the predicate itself, because predicates cannot change.
  open override func copy(with zone: NSZone? = nil) -> Any { self }

  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? NSCompoundPredicate, type(of: other) == type(of: self) else { return false }
    return self === other
      || StackRoom.isLeft && compoundPredicateType == other.compoundPredicateType
        && subpredicates == other.subpredicates
  }

  open override var hash: Int {
    var hasher = Hasher()
    hasher.combine(compoundPredicateType)
    hasher.combine(subpredicates.count)
    for case let predicate as NSComparisonPredicate in subpredicates { hasher.combine(predicate) }
    return hasher.finalize()
  }
}
