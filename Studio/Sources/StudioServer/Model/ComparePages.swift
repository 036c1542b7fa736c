import CoreData
import CoreDataTools
import Foundation
import HTTPTypes
import Hummingbird

/// The page that compares two versions of a model, with the actions of a migration from one to the other.
struct ComparePages {
  let studio: Studio
  let library: ModelLibrary

  func add(to router: Router<BasicRequestContext>) {
    router.get("/compare") { request, _ in
      try await page(from: request.parameter("from"), to: request.parameter("to"))
    }
  }

  private func page(from source: String?, to destination: String?) async throws -> Response {
    guard let source, let destination else {
      return try studio.page(
        "compare", "Compare models", .models,
        ["choices": CompareChoices(from: await library.choices(chosen: nil))])
    }
    let (from, to) = (
      try await library.load(try Self.reference(source)), try await library.load(try Self.reference(destination))
    )
    let choices = CompareChoices(
      sources: await library.choices(chosen: from.reference), destinations: await library.choices(chosen: to.reference))
    let secrets = SecretTexts([from.model, to.model])
    let folder = studio.settings.temporaryFolder
    let (content, plan) = await withTaskExecutorPreference(StoreThreads.shared) {
      let report = ModelDiffReport(from: from.model, to: to.model, source: from.title, destination: to.title)
      let content = CompareContent(report, from, to, secrets)
      return (content, report.migration.isNeeded ? Self.plan(from, to, secrets, folder) : nil)
    }
    var values: [String: Any] = [
      "choices": choices, "comparison": content,
      "swap": Link.query("/compare", [("from", destination), ("to", source)]),
    ]
    if let plan { values["plan"] = plan }
    return try studio.page("compare", "\(from.title) and \(to.title)", .models, values)
  }

  static func reference(_ text: String) throws -> ModelReference {
    guard let reference = ModelReference(text) else {
      throw StudioError(
        .badRequest, "“\(text)” names no model",
        "Expected models/FILE/VERSION or stores/STORE, of files that were named when the studio was started.")
    }
    return reference
  }

  /// Returns the actions of each migration step, or the reason why there is no migration.
  private static func plan(
    _ from: ModelLibrary.Loaded, _ to: ModelLibrary.Loaded, _ secrets: SecretTexts, _ folder: URL
  ) -> ComparePlan {
    do {
      let report = try EmptyStorePlan.report(
        source: from.model, name: "a store of \(from.title)",
        wish: MigrationWish(model: to.url, source: from.form == .store ? nil : from.url), folder: folder)
      let steps = report.steps.enumerated().map {
        MigrateStepContent($1, number: $0 + 1, of: report.steps.count, .emptyStore, secrets)
      }
      return ComparePlan(steps: steps, notes: report.notes.map { PlainWords.reworded($0) }, lack: nil)
    } catch let error as StudioError {
      return ComparePlan(steps: [], notes: [], lack: error.text)
    } catch {
      return ComparePlan(steps: [], notes: [], lack: PlainWords.text(of: error))
    }
  }
}
