extension SQLExpression {
  /// The condition that holds for exactly the rows for which this one does not hold. It also holds where this condition
  /// is unknown because of a NULL: predicates have two truth values only.
  package var negated: SQLExpression {
    switch self {
    case .truth(let value): .truth(!value)
    case .and(let terms): .or(terms.map(\.negated))
    case .or(let terms): .and(terms.map(\.negated))
    case .isNull(let operand): .isNotNull(operand)
    case .isNotNull(let operand): .isNull(operand)
    case .isNotTrue(let condition): condition
    case .exists(let select): .notExists(select)
    case .notExists(let select): .exists(select)
    case .compare(.is, let left, let right): .compare(.isNot, left, right)
    case .compare(.isNot, let left, let right): .compare(.is, left, right)
    // The right side of `=` is a value here, so only the left side can be NULL.
    case .compare(.equal, let left, .value(let value)): .compare(.isNot, left, .value(value))
    case .unselective(let condition): condition.negated
    default: .isNotTrue(self)
    }
  }

  /// Joins conditions that must all hold. The result has no nested AND, and leaves out conditions that always hold.
  package static func all(_ terms: [SQLExpression]) -> SQLExpression {
    var flat: [SQLExpression] = []
    for term in terms {
      switch term {
      case .and(let inner): flat += inner
      case .truth(false): return .truth(false)
      case .truth(true): break
      default: flat.append(term)
      }
    }
    return flat.count == 1 ? flat[0] : flat.isEmpty ? .bool(true) : .and(flat)
  }

  /// Joins conditions of which one must hold. The result has no nested OR, and leaves out conditions that never hold.
  package static func any(_ terms: [SQLExpression]) -> SQLExpression {
    var flat: [SQLExpression] = []
    for term in terms {
      switch term {
      case .or(let inner): flat += inner
      case .truth(false): break
      case .truth(true): return .truth(true)
      default: flat.append(term)
      }
    }
    return flat.count == 1 ? flat[0] : flat.isEmpty ? .bool(false) : .or(flat)
  }
}
