import ArgumentParser
import CommandSupport
import CoreDataTools
import Foundation
import OpenCoreData

/// `coredata store verify`: checks whether a store is sound.
struct StoreVerify: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "verify", abstract: "Looks for everything in a store that should not be so.",
    discussion: """
      Checks the file itself, the metadata and the copy of the model, tables, columns and indexes, entity numbers and \
      key counters, every value's type and range, where every key leads, both sides of relationships, join rows, \
      external files and what else is in their folder, uniqueness, numbers of members, and the history. Of a store in a \
      server everything is checked that its types and keys do not keep right. With --model the store is checked against \
      that model.

      Exits with 1 when there are errors; warnings alone are no failure.
      """)

  @OptionGroup var input: StoreInput

  @Option(help: "table or json.")
  var format = StoreReportFormat.table

  func run() throws {
    let report = try StoreKind.of(input.url) == .postgreSQL ? serverReport() : fileReport()
    print(format == .json ? try JSONEncoder.tool.text(of: report) : report.text)
    if report.errors > 0 { throw ExitCode.failure }
  }

  /// Returns the report about a store in a server. If the given model is of another version, the report lists that as a
  /// problem.
  private func serverReport() throws -> StoreVerifyReport {
    try input.open { store, _ in
      guard let store = store as? any ServedStore else { throw ToolError("\(input.url.shown) cannot be checked.") }
      let progress = isatty(STDERR_FILENO) != 0 ? ProgressLine() : nil
      defer { progress?.clear() }
      let problems = try store.problems { name, done, total in
        progress?.show("Checking \(name): \(done) of \(total)")
      }
      return StoreVerifyReport(input.url, problems)
    }
  }

  private func fileReport() throws -> StoreVerifyReport {
    try input.read(need: .nothing) { store in
      if store.model == nil, store.cacheProblem == nil, store.hasReadableMetadata {
        throw ToolError(
          "The store \(input.url.path) keeps no copy of its model, which it would be checked by. Give one with --model."
        )
      }
      if store.hasNoTables { try store.requireStore() }
      let progress = isatty(STDERR_FILENO) != 0 ? ProgressLine() : nil
      defer { progress?.clear() }
      let problems = StoreVerification(store).problems { name, done, total in
        progress?.show("Checking \(name): \(done) of \(total)")
      }
      return StoreVerifyReport(input.url, problems)
    }
  }
}
