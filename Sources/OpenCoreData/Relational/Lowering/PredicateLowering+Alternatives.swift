extension PredicateLowering {
  /// Returns an OR in which `x == a OR x == b OR x == c` becomes a list. An index answers a list at once, and SQLite
  /// prepares a list in less time than a long chain.
  package func alternatives(_ terms: [SQLExpression]) -> SQLExpression {
    let all = SQLExpression.any(terms)
    guard case .or(let terms) = all, terms.count > 2 else { return all }
    var values: [Column: [SQLValue]] = [:]
    for case .compare(.equal, .column(let alias, let name, _), .value(let value)) in terms {
      values[Column(alias: alias, name: name), default: []].append(value)
    }
    values = values.filter { $0.value.count > 2 }
    guard !values.isEmpty else { return all }
    var result: [SQLExpression] = []
    for term in terms {
      guard case .compare(.equal, .column(let alias, let name, let type), .value) = term,
        let list = values[Column(alias: alias, name: name)]
      else {
        result.append(term)
        continue
      }
      // The list takes the place of the first of its terms.
      if !list.isEmpty { result.append(isOne(of: list, .column(alias: alias, name: name, type: type))) }
      values[Column(alias: alias, name: name)] = []
    }
    return .any(result)
  }

  private struct Column: Hashable {
    let alias: Int
    let name: String
  }
}
