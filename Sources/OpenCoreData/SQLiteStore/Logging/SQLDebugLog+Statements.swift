import Foundation

extension SQLDebugLog {
  /// Logs that a statement is about to run.
  static func logBegin(_ statement: SQLiteStatement) {
    let level = CoreDataInstruments.sqlDebugLevel
    FrameworkLog.write(.sql, statement.sql)
    guard level >= 2 else { return }
    for (index, value) in BoundValues.texts(of: statement.handle, statement.sql).enumerated() {
      FrameworkLog.write(.details, "SQLite bind[\(index)] = \(value)")
    }
    if statement.isSelect, statement.isWork {
      noteSelect(statement.sql, address: UInt(bitPattern: statement.handle))
    }
    guard level >= 4, statement.isWork else { return }
    FrameworkLog.write(.details, "SQLite: EXPLAIN QUERY PLAN \(statement.sql)")
    for step in statement.plan { FrameworkLog.write(.details, step) }
  }

  /// Logs how long a statement has run. Like Apple's framework, logs no time for statements that begin or end transactions.
  static func logEnd(_ statement: SQLiteStatement, since start: UInt64) {
    if statement.isSelect, statement.isWork {
      FrameworkLog.write(.annotation, "sql connection fetch time: \(seconds(since: start))")
    } else if statement.isWork || statement.isPragma {
      FrameworkLog.write(.annotation, "sql execution time: \(seconds(since: start))")
    }
  }
}
