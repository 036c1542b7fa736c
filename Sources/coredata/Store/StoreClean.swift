import ArgumentParser
import CommandSupport
import CoreDataTools
import Foundation
import OpenCoreData

/// `coredata store clean`: lists or removes files of values that no row names, and files that killed processes have left.
struct StoreClean: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "clean",
    abstract: "Lists what lies beside a store and is of no use any more. With --remove, removes it.",
    discussion: """
      That is files of external values that no row names, and working folders of backups, migrations and saves that were \
      killed. Files younger than --older-than stay, since a save that is going on may be about to name them, and so do \
      those that another store with the same folder names. Nobody can save while files are removed; where readers still \
      see the store as it was, nothing is. Without --remove not a byte is changed.
      """)

  @Argument(help: "The store.")
  var file: String

  @Flag(help: "Remove what is listed.")
  var remove = false

  @Option(help: "How many seconds ago a file must have been written at least.")
  var olderThan: Double = ExternalFileCleaning.usualAge

  @OptionGroup var lock: LockTimeout

  @Option(help: "table or json.")
  var format = StoreReportFormat.table

  func validate() throws {
    if !(olderThan >= 0) { throw ValidationError("--older-than must be 0 or more.") }
  }

  func run() throws {
    let url = ModelInput.url(file)
    try StoreKind.of(url).requireSQLite(url)
    let found: ExternalFileCleaning
    do {
      found =
        try remove
        ? ExternalFileCleaning.remove(storeAt: url, olderThan: olderThan, timeout: lock.timeout)
        : ExternalFileCleaning(storeAt: url, olderThan: olderThan, timeout: lock.timeout)
    } catch {
      throw ToolError("The store \(url.path) cannot be cleaned", error)
    }
    let report = StoreCleanReport(url, found, isRemoved: remove)
    print(format == .json ? try JSONEncoder.tool.text(of: report) : report.text)
  }
}

/// The files found, in the structure of the JSON output.
struct StoreCleanReport: Encodable {
  struct File: Encodable {
    var path: String
    var bytes: Int64

    init(_ file: ExternalFileCleaning.File) { (path, bytes) = (file.url.path, file.size) }
  }

  var file: String
  var isRemoved: Bool
  var files: [File]
  /// The files that no row names, but that are kept because they are new.
  var spared: [File]
  var workingFolders: [String]

  init(_ url: URL, _ found: ExternalFileCleaning, isRemoved: Bool) {
    file = url.path
    self.isRemoved = isRemoved
    files = found.files.map(File.init)
    spared = found.spared.map(File.init)
    workingFolders = found.workingFolders.map(\.path)
  }

  /// The report as text for people.
  var text: String {
    let verb = isRemoved ? "removed" : "would remove"
    var lines = files.map { "\(verb) \($0.path) (\($0.bytes) bytes): no row names it" }
    lines += workingFolders.map { "\(verb) \($0): a killed process has left it" }
    lines += spared.map { "keeps \($0.path) (\($0.bytes) bytes): no row names it yet, and it is young" }
    if lines.isEmpty { return "\(file): nothing to clean" }
    let count = files.count + workingFolders.count
    let bytes = files.reduce(0) { $0 + $1.bytes }
    lines.append("\(file): \(verb) \(count) \(count == 1 ? "thing" : "things"), \(bytes) bytes")
    return lines.joined(separator: "\n")
  }
}
