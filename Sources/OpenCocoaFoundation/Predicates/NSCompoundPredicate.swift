import Foundation

/// A predicate that combines others by AND, OR or NOT.
///
/// It inherits its storage and its initialisers from Foundation's class of the same name, so that code which imports
/// Foundation alone takes it for one.
open class NSCompoundPredicate: Foundation.NSCompoundPredicate {
  /// How many levels it has.
  let levels: Int32

  /// Makes a predicate that combines others.
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

  /// Evaluates the subpredicates until the result is known: no AND is true, no OR is false.
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
