import ArgumentParser
import CommandSupport
import CoreDataTools
import Foundation

/// `coredata model show`: prints the contents of a model.
struct ModelShow: ParsableCommand {
  /// The format of the output.
  enum Format: String, ExpressibleByArgument, CaseIterable {
    case table, json, dot
  }

  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Prints the entities of a model with their properties.")

  @Argument(help: "The model, or a store.")
  var file: String

  @Option(help: "table, json, or dot for Graphviz (entities, relationships, inheritance).")
  var format = Format.table

  func run() throws {
    let summary = ModelSummary(try ModelInput(file))
    switch format {
    case .table: print(ModelTables.text(of: summary))
    case .json: print(try JSONEncoder.tool.text(of: summary))
    case .dot: print(ModelGraph.text(of: summary))
    }
  }
}
