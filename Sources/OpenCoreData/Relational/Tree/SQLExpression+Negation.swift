extension SQLExpression {
  /// The condition that is true exactly if this one is not, also if this one is unknown because of a NULL: predicates have
  /// only two truth values.
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
    // The right side of `=` is always a value, so only the left side can be NULL.
    case .compare(.equal, let left, .value(let value)): .compare(.isNot, left, .value(value))
    case .unselective(let condition): condition.negated
    default: .isNotTrue(self)
    }
  }

  /// Conditions that must all hold, without nesting and without those that always do.
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

  /// A condition that is true if one of the terms is; nested terms are flattened, and terms that are always false are left
  /// out.
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
