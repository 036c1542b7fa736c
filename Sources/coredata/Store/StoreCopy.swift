import ArgumentParser
import CoreData
import Foundation

/// `coredata store copy`: a consistent copy of a store that may be in use.
struct StoreCopy: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "copy", abstract: "Copies a store with its log and external data.",
    discussion: """
      The copy is the store as it is at one moment, what is in its log alone included, while others may go on reading \
      and writing it. There must be nothing at the destination. A log that nobody uses is moved into the store first, as \
      by any program that opens it.
      """)

  @Argument(help: "The store.")
  var file: String

  @Argument(help: "Where the copy is to be.")
  var destination: String

  func run() throws {
    let source = ModelInput.url(file), target = ModelInput.url(destination)
    let kind = try StoreKind.of(source)
    guard kind.isSQLite else { return try copyFile(kind, source, target) }
    let line = isatty(STDERR_FILENO) != 0 ? ProgressLine() : nil
    let progress = Progress(totalUnitCount: 0)
    let queue = DispatchQueue(label: "progress")
    let observer = line.map { Self.show(progress, $0, on: queue) }
    defer {
      observer?.cancel()
      // What it was about to show is shown then.
      queue.sync {}
      line?.clear()
    }
    do {
      try NSPersistentStoreCoordinator.backUpPersistentStore(at: source, to: target, progress: progress)
    } catch {
      throw ToolError("The store \(source.path) cannot be copied to \(target.path)", error)
    }
  }

  /// A store in one file is replaced as a whole when it is saved, so that what is read is of one moment.
  private func copyFile(_ kind: StoreKind, _ source: URL, _ target: URL) throws {
    _ = try kind.metadata(source)
    do {
      try Data(contentsOf: source).write(to: target, options: .withoutOverwriting)
    } catch CocoaError.fileWriteFileExists {
      throw ToolError("There is something at \(target.path) already.")
    } catch {
      throw ToolError("The store \(source.path) cannot be copied to \(target.path)", error)
    }
  }

  /// Shows a progress ten times a second until it is cancelled.
  private static func show(
    _ progress: Progress, _ line: ProgressLine, on queue: DispatchQueue
  ) -> any DispatchSourceTimer {
    nonisolated(unsafe) let line = line  // nobody else writes to it while the timer runs
    let timer = DispatchSource.makeTimerSource(queue: queue)
    timer.schedule(deadline: .now() + 0.1, repeating: 0.1)
    timer.setEventHandler {
      guard progress.totalUnitCount > 0 else { return }
      line.show("Copying pages: \(progress.completedUnitCount) of \(progress.totalUnitCount)")
    }
    timer.resume()
    return timer
  }
}
