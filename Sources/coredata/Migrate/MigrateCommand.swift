import ArgumentParser
import CommandSupport
import CoreDataTools
import Foundation

/// `coredata migrate`: brings a store to another version of its model.
struct MigrateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "migrate",
    abstract: "Brings a store to another version of its model. Writes the store.",
    discussion: """
      What both versions tell is done in place, by SQL in one transaction (a lightweight migration); mapping models are \
      followed where they are given with --mapping or lie beside the model. Where one step does not do it, the store goes \
      through the versions that lie between, in the order of their names. The store's own model is found by its version \
      hashes: in --from, among the versions, or in the copy that the store keeps.

      Before anything is changed, a backup is made beside the store, with its log and external data: Store-backup.sqlite, \
      or a name with a number if there is one already. A migration that fails leaves the store as it was.

      Look first: --plan tells what would happen, --rehearse does it with a copy. Neither changes a byte of the store or \
      its folder. Migration policies and value transformers in Swift belong to an application; the tool has none of them.

      Exits with 0 also for a store that is of that version already, with 1 when it cannot be migrated or --verify finds \
      a difference, with 64 for wrong arguments.
      """)

  @Argument(help: "The store.")
  var file: String

  @Option(help: "The model to migrate to: .xcdatamodeld, .xcdatamodel, .momd, .mom, or a store of it.")
  var to: String

  @Option(help: "The version of a .xcdatamodeld or .momd to migrate to, by its name; else its current one.")
  var version: String?

  @Option(help: "The store's model, or a folder of versions with it, where neither the store nor --to has it.")
  var from: String?

  @Option(help: "A mapping model to follow, .xcmappingmodel or .cdm; may be given several times.")
  var mapping: [String] = []

  @Flag(help: "Follow no mapping model that lies beside the model.")
  var infer = false

  @Flag(help: "Tell what would happen: entities, properties, SQL, rows. Changes nothing.")
  var plan = false

  @Flag(help: "Migrate a copy in a temporary folder, verify it, and tell how long it took. Changes nothing.")
  var rehearse = false

  @Flag(help: "Afterwards compare every object and value with what was there; put the old store back if one differs.")
  var verify = false

  @Flag(help: "Make no backup.")
  var noBackup = false

  @Flag(
    help: """
      Go on where the two versions have no entity in common, so that every object would be lost, or where a mapping model \
      loses CloudKit's tables.
      """)
  var force = false

  @OptionGroup var lock: LockTimeout

  @Option(help: "table or json.")
  var format = StoreReportFormat.table

  func validate() throws {
    if plan, rehearse || verify {
      throw ValidationError("--plan does nothing that \(rehearse ? "--rehearse" : "--verify") could be about.")
    }
    if infer, !mapping.isEmpty { throw ValidationError("--infer and --mapping exclude each other.") }
  }

  func run() throws {
    let migration = try MigrationRehearsal(ModelInput.url(file), to: wish, timeout: lock.timeout)
    var report = migration.newReport(plan ? .plan : rehearse ? .rehearsal : .migration)
    if migration.isUpToDate { return print(try text(of: report)) }
    let progress = isatty(STDERR_FILENO) != 0 ? ProgressReporter(ProgressLine()) : nil
    defer { progress?.clear() }
    do {
      try migration.perform(
        .init(makesBackup: !noBackup, verifies: verify, losesEverything: force), progress, &report)
    } catch {
      // If a step fails, the steps that succeeded before it are reported, too.
      progress?.clear()
      if format == .json {
        report.error = "\(error)"
        print(try text(of: report))
      }
      throw error
    }
    progress?.clear()
    print(try text(of: report))
    if report.hasProblems { throw ExitCode.failure }
  }

  private var wish: MigrationWish {
    MigrationWish(
      model: ModelInput.url(to), version: version, source: from.map(ModelInput.url),
      mappings: mapping.map(ModelInput.url), findsMappings: !infer)
  }

  private func text(of report: MigrateReport) throws -> String {
    format == .json ? try JSONEncoder.tool.text(of: report) : MigrateText.text(of: report)
  }
}
