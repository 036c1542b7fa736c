import ArgumentParser
import TuneCommand

/// The command-line tool.
@main
struct CoreDataTool: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "coredata",
    abstract: "Works with Core Data models and stores from the command line.",
    subcommands: [
      ModelCommand.self, StoreCommand.self, MigrateCommand.self, ExplainCommand.self, InstrumentsCommand.self,
      Tune.self,
    ])
}
