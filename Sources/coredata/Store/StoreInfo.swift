import ArgumentParser
import CommandSupport
import CoreDataTools
import Foundation
import OpenCoreData

/// `coredata store info`: prints the facts of a store and the sizes of its contents.
struct StoreInfo: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "info", abstract: "Prints what a store is and holds: versions, entities with row counts, sizes.")

  @OptionGroup var input: StoreInput

  @Option(help: "table or json.")
  var format = StoreReportFormat.table

  func run() throws {
    let kind = try StoreKind.of(input.url)
    guard kind.isSQLite else {
      let metadata = try kind.metadata(input.url)
      let access = try input.access()
      try access.requireFitting(metadata)
      let model = try access.given ?? kind.keptModel(input.url)
      let report: StoreInfoReport
      do {
        report = try StoreInfoReport(
          input.url, kind: kind, metadata: metadata, model: model, isKept: access.given == nil)
      } catch let error as ToolError {
        throw error
      } catch { throw ToolError(StoreErrors.text(of: error)) }
      return print(format == .json ? try JSONEncoder.tool.text(of: report) : report.text)
    }
    let report = try input.read(need: .metadata) { store in
      let progress = ProgressLine()
      defer { progress.clear() }
      let facts = try store.facts { name, done, total in
        if total > 10, isatty(STDERR_FILENO) != 0 { progress.show("Counting \(name)", done, of: total) }
      }
      return StoreInfoReport(store, facts)
    }
    print(format == .json ? try JSONEncoder.tool.text(of: report) : report.text)
  }
}
