import Foundation

/// A predicate that combines others by AND, OR or NOT: for conditions that are put together from what a user has
/// chosen.
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
/// `andPredicateWithSubpredicates:` of no predicates is true, `orPredicateWithSubpredicates:` of none is false. Put a
/// long list of alternatives as `key IN %@`, which is one condition. In SQL they may nest to any depth (D-PRE-22).
///
/// It inherits its storage and its initialisers from Foundation's class of the same name, so that code which imports
/// Foundation alone takes it for one (D-SRC-11).
open class NSCompoundPredicate: Foundation.NSCompoundPredicate {
  /// The number of its levels.
  let levels: Int32

  /// Makes a predicate that combines others; the initialisers for AND, OR and NOT say which, and call this one.
  ///
  /// ```swift
  /// let long = NSPredicate(format: "words >= 100")
  /// let short = NSCompoundPredicate(notPredicateWithSubpredicate: long)
  /// print(short.compoundPredicateType == .not, short.evaluate(with: ["words": 80]))  // true true
  /// ```
  /// - Parameters:
  ///   - type: how they are combined; NOT takes one.
  ///   - subpredicates: evaluated in their order until the result is known.
  public override init(type: LogicalType, subpredicates: [NSPredicate]) {
    levels = Self.levels(of: subpredicates)
    super.init(type: type, subpredicates: subpredicates)
  }

  /// Decodes a compound that was archived here or by Apple's frameworks.
  ///
  /// Gives nil, and the coder an error (4864), for an archive that is no compound.
  public required init?(coder: NSCoder) {
    guard let (type, subpredicates) = Self.parts(coder) else { return nil }
    levels = Self.levels(of: subpredicates)
    super.init(type: type, subpredicates: subpredicates)
  }

  deinit {
    if levels > TreeRelease.depth { TreeRelease.releaseLater(subpredicates) }
  }

  private static func levels(of parts: [NSPredicate]) -> Int32 { 1 + parts.reduce(0) { max($0, $1.depth) } }

  /// Evaluates the subpredicates until the result is known; AND of no subpredicates is true, OR of none is false. Stops the
  /// program if one of them has no answer (D-ERR-01).
  open override func evaluate(with object: Any?, substitutionVariables bindings: [String: Any]?) -> Bool {
    EvaluatorQuestion.answering(self, otherwise: false) { try combined(for: object, bindings) }
  }

  /// The text that this predicate is parsed from.
  open override var predicateFormat: String { description }

  open override var description: String { PredicatePrinter.text(of: self) }

  open override var classForKeyedArchiver: AnyClass? {
    type(of: self) == NSCompoundPredicate.self ? Foundation.NSCompoundPredicate.self : type(of: self)
  }

  /// Gives back the predicate itself, since none can change.
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
