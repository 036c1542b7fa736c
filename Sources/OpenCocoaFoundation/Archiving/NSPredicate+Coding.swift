import Foundation

extension NSPredicate: @retroactive NSSecureCoding {
  /// True: predicates are archived securely.
  public class var supportsSecureCoding: Bool { true }

  /// Archives the predicate in Apple's layout.
  ///
  /// Stops the program for a predicate with a block and for a constant of a class without secure coding: neither can be
  /// archived.
  public func encode(with coder: NSCoder) {
    switch node {
    case .boolean(let value):
      // The class name of a BooleanPredicate says the value in the archive.
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
    // Foundation's own class has the same name for true and for false, so a predicate of this module is archived instead.
    if case .boolean(let value) = node { return ArchivedPart(value ? BooleanPredicate.true : .false) }
    return ArchivedPart(self)
  }
}

/// A class whose `init?(coder:)` may return an instance of a subclass; the protocol's extension declares this initialiser.
public protocol _PredicateFactory {}

extension NSPredicate: _PredicateFactory {}

extension _PredicateFactory where Self: NSPredicate {
  /// Decodes a predicate that was archived here or by Apple's frameworks.
  ///
  /// Returns nil and reports an error (4864) to the coder if the archive is no predicate, contains itself or is nested too
  /// deeply.
  public init?(coder: NSCoder) {
    // An extension cannot give Foundation's class an initialiser that subclasses override, so this one calls theirs.
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
  /// Decodes a predicate that was archived under the name of Foundation's own class: a truth value.
  fileprivate static func decode(_ coder: NSCoder) throws -> NSPredicate {
    guard coder.containsValue(forKey: ArchivedConstant.valueKey) else {
      throw ArchiveProblem("The archived predicate is of no class that is known.")
    }
    return coder.decodeBool(forKey: ArchivedConstant.valueKey) ? BooleanPredicate.true : BooleanPredicate.false
  }
}

extension NSCompoundPredicate {
  /// Decodes the type and the subpredicates of an archived compound predicate.
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
