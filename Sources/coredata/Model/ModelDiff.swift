import ArgumentParser
import CommandSupport
import CoreDataTools
import Foundation
@_spi(Store) import OpenCoreData

/// `coredata model diff`: shows what changed between two versions of a model.
struct ModelDiff: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "diff",
    abstract: "Prints what changed between two models, and whether a lightweight migration can do it.",
    discussion: """
      Entities and properties that were renamed are found by their renaming identifiers. In front of a name stand + for \
      what was added, - for what was removed, > for what was renamed and ~ for what was changed.
      """)

  @Argument(help: "The older model, or a store of it.")
  var source: String

  @Argument(help: "The newer model, or a store of it.")
  var destination: String

  @Flag(help: "Print JSON.")
  var json = false

  func run() throws {
    let (source, destination) = (try ModelInput(source), try ModelInput(destination))
    let difference = ModelDifference(from: source.model, to: destination.model)
    let report = ModelDiffReport(
      difference, source: source.url.path, destination: destination.url.path)
    print(json ? try JSONEncoder.tool.text(of: report) : ModelDiffText.text(of: report))
  }
}
