import CommandSupport
import Foundation
@_spi(Store) import OpenCoreData

/// Takes the steps of a migration, with the store or with a copy.
package struct MigrateRun {
  private let subject: MigrateSubject
  private let way: MigrateWay
  private let progress: ProgressReporter?
  private let verifies: Bool

  package init(_ subject: MigrateSubject, _ way: MigrateWay, _ progress: ProgressReporter?, verifies: Bool) {
    (self.subject, self.way, self.progress, self.verifies) = (subject, way, progress, verifies)
  }

  /// Migrates a copy, which is deleted afterwards.
  package func rehearse(_ report: inout MigrateReport) throws {
    try progress?.show(ToolProgress("Copying the store"))
    let copy = try Rehearsal(of: subject.url, subject.kind, options: subject.options)
    defer { withExtendedLifetime(copy) {} }
    try take(at: copy.url, before: nil, &report) { _ in "The store is as it was: this was a rehearsal." }
  }

  /// Migrates the store.
  package func run(_ report: inout MigrateReport, makesBackup: Bool) throws {
    guard !subject.url.isFileURL || access(subject.url.path, W_OK) == 0 else {
      throw ToolError("The store \(subject.url.shown) cannot be written: \(String(cString: strerror(errno))).")
    }
    let header = subject.kind.isSQLite ? StoreHeaderImage(of: subject.url) : nil
    let backup = makesBackup ? try MigrateBackup(of: subject, progress) : nil
    report.backup = backup?.url.shown
    // Without a backup, a copy is needed for the comparison, and to restore the store after more than one step.
    let isNeeded = backup == nil && (verifies || way.steps.count > 1)
    let copy = isNeeded ? try Rehearsal(of: subject.url, subject.kind, options: subject.options) : nil
    defer { withExtendedLifetime(copy) {} }
    let old = backup?.url ?? copy?.url
    do {
      try take(at: subject.url, before: old, &report) { report in
        if report.isBegun, let old { try putBack(old, header, backup) }
        backup?.remove()
        report.backup = nil
        return "The store is as it was."
      }
    } catch let error as MigratedMeanwhile {
      // The store as it is now gets another backup.
      if !report.isBegun {
        backup?.remove()
        report.backup = nil
      }
      throw error
    }
    if report.hasProblems, let old { try putBack(old, header, backup) }
  }

  private func putBack(_ old: URL, _ header: StoreHeaderImage?, _ backup: MigrateBackup?) throws {
    progress?.note(ToolProgress("Putting the old store back"))
    do {
      try StoreFile.replace(subject.url, with: old, subject.kind, options: subject.options)
      // The content is restored already, whether or not the header can be restored.
      try? header?.restore(to: subject.url)
    } catch {
      // A copy in a temporary folder is deleted by this process, so the message names only a backup.
      let place = backup.map { " It is at \($0.url.shown)." } ?? ""
      throw ToolError(
        "The old store cannot be put back at \(subject.url.shown): \(StoreErrors.text(of: error))\(place)")
    }
  }

  /// - Parameters:
  ///   - url: The store, or a copy.
  ///   - before: A copy of the store in its present state, if there is one.
  ///   - restore: Restores the store after a failure, and returns a sentence that says so.
  private func take(
    at url: URL, before: URL?, _ report: inout MigrateReport, restore: (inout MigrateReport) throws -> String
  ) throws {
    let store = subject.store(at: url, way.configuration)
    var total = 0.0
    for (index, step) in way.steps.enumerated() {
      let count = way.steps.count > 1 ? " step \(index + 1) of \(way.steps.count)" : ""
      report.steps.append(.init(step))
      do {
        var old = index == 0 ? before : nil
        var copy: Rehearsal?
        defer { withExtendedLifetime(copy) {} }
        if verifies, old == nil {
          try progress?.show(ToolProgress("Copying the store"))
          let made = try Rehearsal(of: url, subject.kind, options: subject.options)
          (copy, old) = (made, made.url)
        }
        // A step that runs in place returns the plan that was carried out, so that only other steps are planned here.
        if !step.isInPlace(subject.kind) {
          report.steps[index] = try MigrateStepPlan(subject, step, store).report()
        }
        let (outcome, seconds) = try run(step, store, count)
        total += seconds
        if case .altered(let plan) = outcome { report.steps[index].take(plan) }
        report.steps[index].seconds = seconds
        report.seconds = total
        if verifies, let old {
          report.steps[index].verification = try verification(of: step, store, outcome, before: old)
        }
        if report.hasProblems, isElsewhere(store, step.step.destination) { throw MigratedMeanwhile() }
      } catch {
        progress?.clear()
        // The old store must not take the place of what another program has made.
        let left = report.steps[index].seconds == nil ? step.step.source : step.step.destination
        if error is MigratedMeanwhile || isElsewhere(store, left) { throw MigratedMeanwhile() }
        let state = try restore(&report)
        if error is CancellationError { throw error }
        throw MigrateError.failed(subject, step, error, copy: url, state)
      }
      if report.hasProblems { return }
    }
  }

  /// Whether a store is of another version than the one that this run has left: another program has migrated it.
  private func isElsewhere(_ store: ProgressiveMigration.Store, _ model: NSManagedObjectModel) -> Bool {
    guard let metadata = try? subject.kind.metadata(store.url) else { return false }
    return !model.isConfiguration(withName: way.configuration, compatibleWithStoreMetadata: metadata)
  }

  private func run(
    _ step: MigrateWay.Step, _ store: ProgressiveMigration.Store, _ count: String
  ) throws -> (ProgressiveMigration.Outcome, Double) {
    try progress?.show(ToolProgress("Migrating\(count)"))
    let done = Progress(totalUnitCount: 0)
    let clock = ContinuousClock()
    let start = clock.now
    let take = { try step.step.run(store, progress: done) }
    let outcome =
      try progress?.watching(
        done, { ToolProgress("Migrating\(count)", Int($0 * 100 / max($1, 1)), of: 100, unit: "%") }, take) ?? take()
    let time = start.duration(to: clock.now)
    return (outcome, Double(time.components.seconds) + Double(time.components.attoseconds) / 1e18)
  }

  private func verification(
    of step: MigrateWay.Step, _ store: ProgressiveMigration.Store, _ outcome: ProgressiveMigration.Outcome, before: URL
  ) throws -> MigrateReport.Verification {
    let clock = ContinuousClock()
    let start = clock.now
    let found = try compare(step, store, outcome, before: before)
    let problems = try newProblems(step, store.url, before: before)
    let time = start.duration(to: clock.now)
    return .init(
      seconds: Double(time.components.seconds) + Double(time.components.attoseconds) / 1e18,
      entities: found.entities.map { .init(entity: $0.name, before: $0.before, after: $0.after) },
      objects: found.objects, values: found.values, differences: found.differences,
      differenceCount: found.differenceCount, problems: problems)
  }

  private func compare(
    _ step: MigrateWay.Step, _ store: ProgressiveMigration.Store, _ outcome: ProgressiveMigration.Outcome, before: URL
  ) throws -> MigrationVerification {
    func verify(_ store: ProgressiveMigration.Store, before: URL) throws -> MigrationVerification {
      try step.step.verify(store, outcome, before: before) { entity, count in
        progress?.note(ToolProgress("Comparing \(entity)", count, unit: "objects"))
      }
    }
    guard subject.kind == .postgreSQL else { return try verify(store, before: before) }
    // Both versions are copied to SQLite files, which can be read without a coordinator, and in which objects keep their keys.
    try progress?.show(ToolProgress("Reading both versions"))
    let old = try SQLiteCopy(of: before, subject.kind, model: step.step.source)
    let new = try SQLiteCopy(of: store.url, subject.kind, model: step.step.destination)
    defer { withExtendedLifetime((old, new)) {} }
    return try verify(
      .init(new.url, type: NSSQLiteStoreType, configuration: store.configuration), before: old.url)
  }

  /// Returns the errors of the migrated store of each kind that the old store had fewer errors of. A one-to-one relationship
  /// that one side alone has is no error in a store of others; that a migration makes one is. Errors are compared by kind,
  /// because entities and tables may have other names now.
  private func newProblems(_ step: MigrateWay.Step, _ url: URL, before: URL) throws -> [String] {
    guard subject.kind.isSQLite else { return [] }
    func errors(_ url: URL, _ model: NSManagedObjectModel) throws -> [StoreProblem] {
      try StoreVerification(InspectedStore(url, model: model)).problems { name, done, total in
        progress?.note(ToolProgress("Checking \(name)", done, of: total))
      }.filter { $0.severity == .error || $0.kind == .brokenInverse }
    }
    let old = Dictionary(grouping: try errors(before, step.step.source), by: \.kind)
    let new = Dictionary(grouping: try errors(url, step.step.destination), by: \.kind)
    return new.filter { $1.count > old[$0]?.count ?? 0 }.values.joined().map { "\($0.place): \($0.text)" }.sorted()
  }
}

/// Another program has brought the store to another version since its migration was planned.
struct MigratedMeanwhile: Error {}

extension MigrateReport {
  /// Whether a step has been carried out.
  fileprivate var isBegun: Bool { steps.contains { $0.seconds != nil } }
}
