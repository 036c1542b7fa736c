import Foundation
import OpenCocoaFoundation

/// What a fetch has in common with the fetches that differ from it in constants alone: they have one statement text.
package struct FetchShape: Hashable, Sendable {
  /// A part of a predicate or of a sort descriptor, in the order in which they stand in the fetch.
  enum Part: Hashable, Sendable {
    case boolean(Bool)
    case compound(UInt, count: Int)
    /// The raw values of operator, modifier and options.
    case comparison(UInt, UInt, UInt)
    case evaluatedObject
    case keyPath(SQLValue)
    case null
    /// A constant that is part of the shape, because the statement's text may depend on it.
    case constant(ShapeConstant)
    /// A constant of which the statement's text does not depend.
    case variable(ShapeConstant.Kind)
    case order(SQLValue, isAscending: Bool, String)
  }

  private let layout: ObjectIdentifier
  private let result: FetchPlanResult
  private let includesSubentities: Bool
  private let limit: Int
  private let offset: Int
  private let parts: [Part]

  init(_ target: FetchTarget, _ result: FetchPlanResult, parts: [Part]) {
    layout = ObjectIdentifier(target.layout)
    self.result = result
    includesSubentities = target.includesSubentities
    limit = target.limit
    offset = target.offset
    self.parts = parts
  }
}

/// A constant of a predicate, as the value that a statement binds for it.
struct ShapeConstant: Hashable, Sendable {
  /// What the lowering of predicates tells constants apart by.
  enum Kind: Hashable, Sendable {
    case integer, real, text, date, uuid
    /// An object of a hierarchy, by the number of its root entity.
    case object(root: Int)
  }

  let kind: Kind
  let value: SQLValue
}

extension ShapeConstant {
  /// The value of a constant; nil if it is none of the kinds.
  init?(_ constant: Any, _ model: SQLModel) {
    switch Operand(constant) {
    case .string(let string): self.init(kind: .text, value: .text(string))
    case .number(.integer(let number)): self.init(kind: .integer, value: .integer(number))
    case .number(.real(let number)): self.init(kind: .real, value: .real(number))
    case .date(let seconds): self.init(kind: .date, value: .real(seconds))
    case .uuid(let uuid): self.init(kind: .uuid, value: SQLValue(uuid))
    case .object(let object):
      guard let (key, entity, isTemporary) = (object as? any SQLObjectReference)?.sqlReference, !isTemporary,
        let root = model.entity(for: entity)?.root.number
      else { return nil }
      self.init(kind: .object(root: root), value: .integer(key))
    case .null, .number(.decimal), .data, .collection, .dictionary, .other: return nil
    }
  }

  /// Whether a comparison with the constant may have another text than one with other constants of the kind.
  ///
  /// Databases have texts of their own for truth values, for numbers that are not finite, and for strings with U+0000.
  var isSpecial: Bool {
    switch value {
    case .integer(let number): kind == .integer && (number == 0 || number == 1)
    case .real(let number): !number.isFinite
    case .text(let string): string.utf8.contains(0)
    case .null, .blob: false
    }
  }
}
