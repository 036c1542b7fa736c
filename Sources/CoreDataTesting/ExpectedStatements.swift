import OpenCoreData

/// The statements that count in a budget. Statements that begin or end transactions, and pragmas, never count.
public enum CountedStatements: Sendable {
  /// Every statement.
  case all
  /// Statements that read rows, as fetches and faults run them.
  case reading
  /// Statements that change something, as saves and batch requests run them.
  case writing

  fileprivate func counts(_ statement: String) -> Bool {
    let first = statement.prefix { $0.isLetter }.uppercased()
    let isReading = first == "SELECT" || first == "WITH"
    switch self {
    case .reading: return isReading
    case .writing: return !isReading && !Self.uncounted.contains(first)
    case .all: return !Self.uncounted.contains(first)
    }
  }

  private static let uncounted: Set<String> = ["BEGIN", "COMMIT", "ROLLBACK", "PRAGMA", "SAVEPOINT", "RELEASE", "END"]
}

/// Runs `body` and fails the test if `body` sends more than `limit` statements to SQLite stores; the failure lists the
/// statements.
///
/// <!-- test -->
/// ```swift
/// @Test func theListTakesTwoStatements() throws {
///   let context = try TestContainer.inMemory(Library.model).newBackgroundContext()
///   try context.performAndWait {
///     try expectStatements(atMost: 2) {
///       for author in try context.fetch(NSFetchRequest<Author>(entityName: "Author")) { _ = author.books?.count }
///     }
///   }
/// }
/// ```
///
/// The function counts the statements of the calling thread or task and of its child tasks, of blocks that these hand to
/// contexts by `perform` and `performAndWait`, and of contexts and stores that such blocks use. So tests may run side by
/// side. Works in tests of Swift Testing and of XCTest.
/// - Parameters:
///   - limit: how many statements are allowed.
///   - counted: which statements count.
///   - comment: the text with which the failure begins.
///   - fileID: where a failure is shown; like the next three parameters, the place of the call by default.
///   - filePath: the file.
///   - line: the line.
///   - column: the column.
///   - body: the work.
/// - Returns: what `body` returns.
/// - Throws: what `body` throws.
@discardableResult
public func expectStatements<Result>(
  atMost limit: Int, counting counted: CountedStatements = .all, _ comment: String? = nil,
  fileID: StaticString = #fileID,
  filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column, _ body: () throws -> Result
) rethrows -> Result {
  let (result, statements) = try StatementLog.collect(thisThread: true, body)
  check(statements, "at most", counted, limit, comment, SourcePlace(fileID, filePath, line, column)) { $0 <= limit }
  return result
}

/// Runs `body` and fails the test unless `body` sends exactly `count` statements to SQLite stores; see
/// `expectStatements(atMost:)`.
/// - Returns: what `body` returns.
/// - Throws: what `body` throws.
@discardableResult
public func expectStatements<Result>(
  exactly count: Int, counting counted: CountedStatements = .all, _ comment: String? = nil,
  fileID: StaticString = #fileID,
  filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column, _ body: () throws -> Result
) rethrows -> Result {
  let (result, statements) = try StatementLog.collect(thisThread: true, body)
  check(statements, "exactly", counted, count, comment, SourcePlace(fileID, filePath, line, column)) { $0 == count }
  return result
}

/// Runs `body` and fails the test if `body` sends any statement to a SQLite store: all rows that it uses must be in
/// memory.
/// - Returns: what `body` returns.
/// - Throws: what `body` throws.
@discardableResult
public func expectNoStatements<Result>(
  counting counted: CountedStatements = .all, _ comment: String? = nil, fileID: StaticString = #fileID,
  filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column, _ body: () throws -> Result
) rethrows -> Result {
  try expectStatements(
    exactly: 0, counting: counted, comment, fileID: fileID, filePath: filePath, line: line, column: column, body)
}

/// Runs `body` and returns the statements that it sends to SQLite stores, for a test that checks more than their
/// number.
///
/// Statements have variables in place of values. See `expectStatements(atMost:)` for the statements that are included.
/// - Throws: what `body` throws.
public func collectStatements<Result>(
  counting counted: CountedStatements = .all, _ body: () throws -> Result
) rethrows -> (result: Result, statements: [String]) {
  let (result, statements) = try StatementLog.collect(thisThread: true, body)
  return (result, statements.filter(counted.counts))
}

// MARK: Asynchronous work

/// `expectStatements(atMost:)` for asynchronous work.
/// - Returns: what `body` returns.
/// - Throws: what `body` throws.
@discardableResult
public func expectStatements<Result>(
  atMost limit: Int, counting counted: CountedStatements = .all, _ comment: String? = nil,
  fileID: StaticString = #fileID,
  filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
  isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Result
) async rethrows -> Result {
  let (result, statements) = try await StatementLog.collect(body)
  check(statements, "at most", counted, limit, comment, SourcePlace(fileID, filePath, line, column)) { $0 <= limit }
  return result
}

/// `expectStatements(exactly:)` for asynchronous work.
/// - Returns: what `body` returns.
/// - Throws: what `body` throws.
@discardableResult
public func expectStatements<Result>(
  exactly count: Int, counting counted: CountedStatements = .all, _ comment: String? = nil,
  fileID: StaticString = #fileID,
  filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
  isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Result
) async rethrows -> Result {
  let (result, statements) = try await StatementLog.collect(body)
  check(statements, "exactly", counted, count, comment, SourcePlace(fileID, filePath, line, column)) { $0 == count }
  return result
}

/// `collectStatements(counting:)` for asynchronous work.
/// - Throws: what `body` throws.
public func collectStatements<Result>(
  counting counted: CountedStatements = .all, isolation: isolated (any Actor)? = #isolation,
  _ body: () async throws -> Result
) async rethrows -> (result: Result, statements: [String]) {
  let (result, statements) = try await StatementLog.collect(body)
  return (result, statements.filter(counted.counts))
}

private func check(
  _ statements: [String], _ limit: String, _ counted: CountedStatements, _ expected: Int, _ comment: String?,
  _ place: SourcePlace, _ isKept: (Int) -> Bool
) {
  let own = statements.filter(counted.counts)
  if isKept(own.count) { return }
  let list = own.enumerated().map { "\n  \($0 + 1). \($1)" }.joined()
  let text = "\(own.count) statements ran, where \(limit) \(expected) were expected\(own.isEmpty ? "." : ":")\(list)"
  TestFailure.report(comment.map { "\($0): \(text)" } ?? text, place)
}
