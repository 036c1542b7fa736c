/// Describes SQLite's plan in words, in terms of entities.
package struct PlanWords {
  private let aliases: [String: String]
  private let entity: (String) -> String?
  private let property: (_ table: String, _ column: String) -> String?

  /// - Parameters:
  ///   - sql: The statement, which defines the aliases in the plan.
  ///   - entity: Returns the entity whose objects a table has; nil if it is not known.
  ///   - property: Returns the property that a column of a table stores.
  package init(
    _ sql: String, entity: @escaping (String) -> String? = { _ in nil },
    property: @escaping (_ table: String, _ column: String) -> String? = { _, _ in nil }
  ) {
    var aliases: [String: String] = [:]
    for match in sql.matches(of: /(?:FROM|JOIN)\s+([A-Za-z0-9_]+)\s+(?:AS\s+)?(t[0-9]+)\b/) {
      aliases[String(match.output.2)] = String(match.output.1)
    }
    self.aliases = aliases
    self.entity = entity
    self.property = property
  }

  /// Returns a line for each step of a plan, with the step's indentation.
  package func lines(of plan: [String]) -> [String] {
    plan.map { step in
      let depth = step.prefix { $0 == " " }
      return depth + words(String(step.dropFirst(depth.count)))
    }
  }

  private func words(_ step: String) -> String {
    if step.hasPrefix("SCAN ") { return scan(step) }
    if step.hasPrefix("SEARCH ") { return search(step) }
    if let part = step.range(of: "USE TEMP B-TREE FOR ") { return sorting(String(step[part.upperBound...])) }
    if step.hasPrefix("MULTI-INDEX OR") { return "finds rows in several ways, and takes each once" }
    if step.hasPrefix("INDEX ") { return "one way" }
    if step.hasPrefix("CORRELATED") { return "for each row" }
    if step.contains("SUBQUERY") { return "once, before" }
    if step.hasPrefix("CO-ROUTINE") || step.hasPrefix("MATERIALIZE") { return "first" }
    if step.hasPrefix("BLOOM FILTER") { return "leaves out early what has no partner" }
    return step
  }

  private func scan(_ step: String) -> String {
    let name = name(of: step)
    if step.contains("VIRTUAL TABLE") { return "goes through a list of values" }
    guard let index = index(in: step) else { return "reads every row of \(name)" }
    return step.contains("COVERING")
      ? "reads every row of \(name), from index \(index) alone"
      : "reads every row of \(name), in the order of index \(index)"
  }

  private func search(_ step: String) -> String {
    let name = name(of: step)
    let conditions = conditions(in: step)
    if step.contains("INTEGER PRIMARY KEY") {
      return step.contains("rowid=?")
        ? "finds rows of \(name) by their keys" : "finds rows of \(name) by a range of keys"
    }
    if step.contains("AUTOMATIC") {
      return "makes an index of \(name) for this statement alone, and finds rows by \(conditions)"
    }
    let alone = step.contains("COVERING") ? " alone" : ""
    return "finds rows of \(name) by index \(index(in: step) ?? "?")\(alone): \(conditions)"
  }

  private func sorting(_ what: String) -> String {
    switch what {
    case "GROUP BY": "sorts what it found into groups"
    case "DISTINCT": "leaves out what was there before"
    case "ORDER BY": "sorts what it found"
    case "RIGHT PART OF ORDER BY": "sorts what it found among equals"
    default:
      what.hasSuffix("ORDER BY") ? "sorts what it found by the \(what.dropLast(12).lowercased())" : what
    }
  }

  private func table(of step: String) -> String {
    let alias = step.split(separator: " ").dropFirst().first.map(String.init) ?? ""
    return aliases[alias] ?? alias
  }

  private func name(of step: String) -> String {
    let table = table(of: step)
    return entity(table) ?? table
  }

  private func index(in step: String) -> String? {
    guard let mark = step.range(of: "INDEX ") else { return nil }
    let name = step[mark.upperBound...].prefix { $0 != " " }
    return name.isEmpty || name.hasPrefix("(") ? nil : String(name)
  }

  /// Returns the conditions of a step: `name = ?, age > ?` for `(ZNAME=? AND ZAGE>?)`.
  private func conditions(in step: String) -> String {
    guard let start = step.firstIndex(of: "("), let end = step.lastIndex(of: ")") else { return "" }
    let table = table(of: step)
    return step[step.index(after: start)..<end].replacing(" AND ", with: "\u{1F}").split(separator: "\u{1F}")
      .map { term in
        let column = String(term.prefix { $0.isLetter || $0.isNumber || $0 == "_" })
        let rest = term.dropFirst(column.count)
        let sign = rest.prefix { "<>=".contains($0) }
        return "\(property(table, column) ?? column) \(sign) ?"
      }
      .joined(separator: ", ")
  }
}
