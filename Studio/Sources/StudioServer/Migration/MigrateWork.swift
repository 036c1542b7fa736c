import CoreDataTools
import Foundation

/// The jobs of a migration: counting rows for the plan, rehearsing, migrating.
struct MigrateWork: Sendable {
  enum Action: Sendable {
    case count, rehearse, run
  }

  let studio: Studio
  let store: OpenedStore
  let view: MigrateView
  let wish: MigrationWish
  let secrets: SecretTexts

  /// - Throws: a `StudioError` if the store is being migrated already, or too many jobs run.
  func start(_ action: Action) async throws -> Job {
    guard action == .run else { return try begin(action) }
    try await store.beginMigration()
    do {
      // The editing session is closed, because its context has the old model and its connection would keep the file open.
      try studio.writing.close(store.name)
      return try begin(action)
    } catch {
      await store.endMigration()
      throw error
    }
  }

  private func begin(_ action: Action) throws -> Job {
    let title = title(of: action)
    let (url, name) = (store.url, store.name)
    let templates = studio.templates
    return try studio.jobs.start(
      title, origin: view.link(name), section: .migrate(name), beside: { try check(action, beside: $0) }
    ) { [self] job in
      let result = Result<MigrateReport, any Error> {
        let way = try MigrationRehearsal(url, to: wish)
        let progress: @Sendable (ToolProgress) -> Void = { try? job.report($0) }
        let isStopped: @Sendable () -> Bool = { job.isStopped }
        return switch action {
        case .count: try way.plan(progress: progress, isCancelled: isStopped)
        case .rehearse: try way.rehearse(progress: progress, isCancelled: isStopped)
        case .run: try way.run(progress: progress, isCancelled: isStopped)
        }
      }
      // This is done after a failure, too, because the file may have been changed before the failure.
      if action == .run { await store.endMigration() }
      let report = try Self.failing(name) { try result.get() }
      return try templates.text(
        "migrateReport",
        [
          "plan": MigratePlanContent(report, .store, secrets),
          "token": studio.formToken, "mayWrite": studio.settings.allowsWriting, "confirm": view.link(name, "/confirm"),
          "isRehearsal": action == .rehearse, "isMigration": action == .run, "isCount": action == .count,
          "storeLink": Link.store(name),
        ])
    }
  }

  /// Refuses to run a migration together with another job that reads the same store, because the migration replaces the file
  /// that the job reads.
  private func check(_ action: Action, beside job: Job) throws {
    guard job.section == .migrate(store.name) else { return }
    let isMigration = job.title == title(of: .run)
    guard action == .run || isMigration else { return }
    throw StudioError(
      .conflict,
      isMigration
        ? "“\(store.name)” is being migrated" : "A migration of “\(store.name)” is being rehearsed or planned",
      "Wait until that has ended, or stop it on its page: \(job.link)")
  }

  private func title(of action: Action) -> String {
    switch action {
    case .count: "Planning the migration of \(store.name) with its rows"
    case .rehearse: "Rehearsing the migration of \(store.name)"
    case .run: "Migrating \(store.name)"
    }
  }

  /// Runs `body`, and turns the errors of the tools into errors with texts that suit a page.
  static func failing<Value>(_ store: String, _ body: () throws -> Value) throws -> Value {
    do {
      return try body()
    } catch let error as StudioError {
      throw error
    } catch let error as CancellationError {
      throw error
    } catch {
      throw StudioError(.badRequest, "“\(store)” cannot be migrated", PlainWords.text(of: error))
    }
  }
}
