import OpenCoreData

/// A statement, with all its executions.
public struct StatementUse: Encodable, Sendable {
  /// The index of the statement in the recording's list.
  public let number: Int
  /// The text of the statement.
  public let text: String
  /// How many times and how long the statement ran.
  public let measure: Measure
  /// SQLite's plan, with each step indented by its depth; empty for a statement that reads no rows.
  public let plan: [String]
  /// The indexes that the statement uses.
  public let indexes: [String]
  /// Work of the statement that an index could avoid.
  public let remarks: [String]

  /// Returns the statements that ran, the most expensive first.
  static func all(_ recording: Recording) -> [StatementUse] {
    var measures = Array(repeating: Measure(), count: recording.statements.count)
    for execution in recording.executions {
      measures[execution.statement].add(execution.duration, rows: execution.rows)
    }
    let uses = recording.statements.indices.filter { measures[$0].count > 0 }.map { number in
      let statement = recording.statements[number]
      let query = ExplainedQuery(statement)
      return StatementUse(
        number: number, text: statement.text, measure: measures[number], plan: statement.plan, indexes: query.indexes,
        remarks: query.remarks)
    }
    return uses.sorted { ($0.measure.total, $1.number) > ($1.measure.total, $0.number) }
  }
}

extension ExplainedQuery {
  init(_ statement: Recording.Statement) { self.init(sql: statement.text, bindings: [], sqlitePlan: statement.plan) }

  fileprivate var remarks: [String] {
    var remarks: [String] = []
    if scansTable, sql.contains(" WHERE ") { remarks.append("looks at every row") }
    if sorts { remarks.append("sorts what it found") }
    if groups { remarks.append("groups what it found") }
    if plan.contains(where: { $0.contains("AUTOMATIC") }) { remarks.append("makes an index each time") }
    return remarks
  }
}
