import CommandSupport
import Foundation

/// The migration of a store to another version of its model: planned, tried with a copy, and carried out.
///
/// Planning and rehearsing change no byte of the store and its folder. Only one thread at a time may use an instance.
public final class MigrationRehearsal {
  /// How a migration is carried out.
  public struct Carrying: Sendable, Equatable {
    /// Whether a copy of the store is made beside it first.
    public var makesBackup: Bool
    /// Whether every object and value is compared with the old store afterwards. The old store is restored if any differs.
    public var verifies: Bool
    /// Whether to continue if the two versions have no entity in common, so that every object is lost, and if CloudKit's tables
    /// are lost, which a migration by a mapping model does not keep.
    public var losesEverything: Bool

    /// Creates options; by default with a backup and with a comparison.
    public init(makesBackup: Bool = true, verifies: Bool = true, losesEverything: Bool = false) {
      (self.makesBackup, self.verifies, self.losesEverything) = (makesBackup, verifies, losesEverything)
    }
  }

  private let wish: MigrationWish
  private let timeout: TimeInterval
  private var subject: MigrateSubject
  private var way: MigrateWay

  /// Finds the way from the store's version to the wanted version.
  /// - Parameters:
  ///   - store: The place of the store: a file, or a URL of a server.
  ///   - wish: The model to migrate to, with further options.
  ///   - timeout: The number of seconds to wait for others that have the store locked.
  /// - Throws: a `ToolError` if there is no store, its model is not found, or there is no way to the wanted version.
  public init(_ store: URL, to wish: MigrationWish, timeout: TimeInterval = 5) throws {
    (self.wish, self.timeout) = (wish, timeout)
    subject = try MigrateSubject(store, timeout: timeout)
    way = try MigrateWay(subject, wish)
  }

  /// Whether the store has the wanted version already.
  public var isUpToDate: Bool { way.steps.isEmpty }

  /// Plans the migration: entities, properties, SQL, and rows that prevent it.
  /// - Parameters:
  ///   - progress: Called with the work that is being done, on any thread.
  ///   - isCancelled: Called from time to time, on any thread.
  /// - Throws: a `ToolError`, or a `CancellationError` if it was cancelled.
  public func plan(
    progress: @escaping @Sendable (ToolProgress) -> Void = { _ in },
    isCancelled: @escaping @Sendable () -> Bool = { false }
  ) throws -> MigrateReport {
    try report(.plan, Carrying(), progress, isCancelled)
  }

  /// Migrates a copy in a temporary folder, compares every object and value, and deletes the copy.
  /// - Parameters:
  ///   - progress: Called with the work that is being done, on any thread.
  ///   - isCancelled: Called from time to time, on any thread.
  /// - Throws: a `ToolError`, or a `CancellationError` if it was cancelled.
  public func rehearse(
    progress: @escaping @Sendable (ToolProgress) -> Void = { _ in },
    isCancelled: @escaping @Sendable () -> Bool = { false }
  ) throws -> MigrateReport {
    try report(.rehearsal, Carrying(), progress, isCancelled)
  }

  /// Migrates the store. After a failure or a cancellation the store is unchanged.
  /// - Parameters:
  ///   - carrying: Further work: a backup, a comparison of all values.
  ///   - progress: Called with the work that is being done, on any thread.
  ///   - isCancelled: Called from time to time, on any thread.
  /// - Throws: a `ToolError`, or a `CancellationError` if it was cancelled.
  public func run(
    _ carrying: Carrying = Carrying(), progress: @escaping @Sendable (ToolProgress) -> Void = { _ in },
    isCancelled: @escaping @Sendable () -> Bool = { false }
  ) throws -> MigrateReport {
    try report(.migration, carrying, progress, isCancelled)
  }

  private func report(
    _ action: MigrateReport.Action, _ carrying: Carrying, _ progress: @escaping @Sendable (ToolProgress) -> Void,
    _ isCancelled: @escaping @Sendable () -> Bool
  ) throws -> MigrateReport {
    var report = newReport(action)
    let reporter = ProgressReporter({ if let state = $0 { progress(state) } }, isCancelled: isCancelled)
    try perform(carrying, reporter, &report)
    return report
  }

  /// Returns a report without any step.
  package func newReport(_ action: MigrateReport.Action) -> MigrateReport {
    var report = MigrateReport(subject, way, action)
    report.isUpToDate = isUpToDate
    return report
  }

  /// Does the work that the report is about. If the work fails, the report contains what was done before.
  ///
  /// If another program brings the store to another version meanwhile, the way is planned anew from there.
  package func perform(_ carrying: Carrying, _ reporter: ProgressReporter?, _ report: inout MigrateReport) throws {
    var attempts = 0
    while !isUpToDate {
      do {
        return try performOnce(carrying, reporter, &report)
      } catch is MigratedMeanwhile {
        attempts += 1
        if attempts == Self.mostAttempts {
          throw ToolError("The store \(subject.url.shown) is migrated by other programs again and again.")
        }
        let backup = report.backup
        subject = try MigrateSubject(subject.url, timeout: timeout)
        way = try MigrateWay(subject, wish)
        let notes = report.notes
        report = newReport(report.action)
        report.notes += notes.filter { !report.notes.contains($0) }
        let place = backup.map { " The store from before is at \($0)." } ?? ""
        report.notes.append(
          "Another program has migrated the store meanwhile: it was of “\(way.source)” by then.\(place)")
      }
    }
  }

  /// How often the way is planned anew.
  private static let mostAttempts = 20

  private func performOnce(_ carrying: Carrying, _ reporter: ProgressReporter?, _ report: inout MigrateReport) throws {
    switch report.action {
    case .plan: try MigratePlanning(subject, way, reporter).run(&report)
    case .rehearsal: try MigrateRun(subject, way, reporter, verifies: true).rehearse(&report)
    case .migration:
      if !carrying.losesEverything {
        try way.requireCommonEntities(subject)
        try way.requireMirroring(subject)
      }
      try MigrateRun(subject, way, reporter, verifies: carrying.verifies).run(
        &report, makesBackup: carrying.makesBackup)
    }
  }
}
