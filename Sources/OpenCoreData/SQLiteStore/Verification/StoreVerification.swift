import Foundation
import OpenCocoaFoundation

/// Looks for all problems of a store, in one read transaction. Most of the checks need only one pass over each table.
package struct StoreVerification {
  private let store: InspectedStore

  package init(_ store: InspectedStore) { self.store = store }

  /// Runs all checks.
  ///
  /// A check that fails because the file is damaged is reported as a problem, and the other checks are still run. Without a
  /// model, only the checks that need no model are run.
  /// - Parameters:
  ///   - progress: called with the title of a check, its number from 1, and how many checks there are.
  ///   - isStopped: asked before each check; if it returns true, no more checks are run.
  package func problems(
    progress: (String, Int, Int) -> Void = { _, _, _ in }, isStopped: () -> Bool = { false }
  ) -> [StoreProblem] {
    var checks: [any StoreCheck] = [IntegrityCheck(), MetadataCheck()]
    if let schema = store.schema {
      checks += [StructureCheck(schema: schema), EntityNumbersCheck(schema: schema)]
      checks += schema.tables.map { TableCheck(schema: schema, table: $0) }
      checks += [JoinTableCheck(schema: schema), UniquenessCheck(schema: schema), MemberCountCheck(schema: schema)]
      checks += [ExternalFilesCheck(schema: schema), MirroringCheck(schema: schema)]
    }
    checks.append(HistoryCheck())
    var problems: [StoreProblem] = []
    for (index, check) in checks.enumerated() {
      if isStopped() { break }
      progress(check.title, index + 1, checks.count)
      do {
        try check.run(on: store) { problems.append($0) }
      } catch {
        let cause = error as NSError
        problems.append(
          StoreProblem(
            .unreadable, at: check.title, "cannot be checked: \(cause.localizedFailureReason ?? "\(cause)")"))
      }
    }
    return problems
  }
}

/// A check of one aspect of a store.
protocol StoreCheck {
  /// The subject of the check, as text for the report.
  var title: String { get }

  /// Reports the problems that the check finds.
  func run(on store: InspectedStore, _ report: (StoreProblem) -> Void) throws
}

extension InspectedStore {
  /// The largest number of rows that are named as examples.
  static let exampleLimit = 5

  /// Returns the objects of the first rows of a query whose results are Z_ENT and Z_PK.
  func examples(_ sql: String) throws -> [String] {
    try connection.rows("\(sql) LIMIT \(Self.exampleLimit)").map { row in
      let number = row[0].flatMap { Int($0) }
      let name = number.flatMap { schema?.entity(number: $0)?.name } ?? "Z_ENT \(row[0] ?? "NULL")"
      return "\(name)/p\(row[1] ?? "NULL")"
    }
  }
}
