import ArgumentParser
import TuneCommand

/// The command-line tool.
@main
struct CoreDataTool: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "coredata",
    abstract: "Works with Core Data models and stores from the command line.",
    subcommands: commands)

  private static var commands: [any ParsableCommand.Type] {
    var commands: [any ParsableCommand.Type] = [
      ModelCommand.self, StoreCommand.self, MigrateCommand.self, ExplainCommand.self, InstrumentsCommand.self,
    ]
    #if os(Linux)
      commands.append(AttachCommand.self)
    #endif
    return commands + [Tune.self]
  }
}
