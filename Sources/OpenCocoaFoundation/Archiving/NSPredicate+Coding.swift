import Foundation

extension NSPredicate: @retroactive NSSecureCoding {
  /// True: predicates are archived securely.
  public class var supportsSecureCoding: Bool { true }

  /// Archives the predicate in Apple's layout.
  ///
  /// Stops the program for a predicate with a block, which cannot be archived, and for constants that cannot.
  public func encode(with coder: NSCoder) {
    switch node {
    case .boolean(let value):
      // For other predicates, the class determines the value.
      if !(self is BooleanPredicate) { coder.encode(value, forKey: ArchivedConstant.valueKey) }
    case .comparison(let comparison):
      coder.encode(ArchivedPart(comparison.leftExpression), forKey: "NSLeftExpression")
      coder.encode(ArchivedPart(comparison.rightExpression), forKey: "NSRightExpression")
      coder.encode(PredicateOperator(comparison), forKey: "NSPredicateOperator")
    case .compound(let type, let subpredicates):
      coder.encode(Int(type.rawValue), forKey: "NSCompoundPredicateType")
      coder.encode(ArchivedList(subpredicates.map(\.archivedPart)), forKey: "NSSubpredicates")
    case .block: raise(.invalidArgument, "Block-based predicates cannot be archived: \(self)")
    case .custom:
      raise(.invalidArgument, "-[\(type(of: self)) encodeWithCoder:]: unrecognized selector sent to instance \(self)")
    }
  }

  /// The predicate as part of another.
  var archivedPart: ArchivedPart {
    // Foundation's own class has no name of its own for true and false.
    if case .boolean(let value) = node { return ArchivedPart(value ? BooleanPredicate.true : .false) }
    return ArchivedPart(self)
  }
}

/// A class whose `init?(coder:)` returns an instance of a subclass.
public protocol _PredicateFactory {}

extension NSPredicate: _PredicateFactory {}

extension _PredicateFactory where Self: NSPredicate {
  /// Decodes a predicate that was archived here or by Apple's frameworks.
  ///
  /// Gives nil, and the coder an error (4864), for an archive that is no predicate, contains itself or is nested too
  /// deeply.
  public init?(coder: NSCoder) {
    // Foundation's class cannot get an initialiser that its subclasses override, so this code calls them.
    let predicate: NSPredicate? =
      switch Self.self as Any {
      case let type as NSComparisonPredicate.Type: type.init(coder: coder)
      case let type as NSCompoundPredicate.Type: type.init(coder: coder)
      case is TruePredicate.Type: BooleanPredicate.true
      case is FalsePredicate.Type: BooleanPredicate.false
      default: coder.decoding { try NSPredicate.decode(coder) }
      }
    guard let predicate = predicate as? Self else { return nil }
    self = predicate
  }
}

extension NSPredicate {
  /// Decodes the archive of Foundation's own class, which contains a truth value.
  fileprivate static func decode(_ coder: NSCoder) throws -> NSPredicate {
    guard coder.containsValue(forKey: ArchivedConstant.valueKey) else {
      throw ArchiveProblem("The archived predicate is of no class that is known.")
    }
    return coder.decodeBool(forKey: ArchivedConstant.valueKey) ? BooleanPredicate.true : BooleanPredicate.false
  }
}

extension NSCompoundPredicate {
  /// The parts of a compound predicate in an archive.
  static func parts(_ coder: NSCoder) -> (LogicalType, [NSPredicate])? {
    coder.decoding {
      let number = coder.decodeInteger(forKey: "NSCompoundPredicateType")
      guard let type = UInt(exactly: number).flatMap(LogicalType.init(rawValue:)) else {
        throw ArchiveProblem("There is no compound predicate of type \(number).")
      }
      let subpredicates = try coder.archived([NSPredicate].self, "NSSubpredicates")
      guard type != .not || subpredicates.count == 1 else {
        throw ArchiveProblem("NOT has \(subpredicates.count) subpredicates.")
      }
      return (type, subpredicates)
    }
  }
}
