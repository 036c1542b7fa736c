import CoreData
import CoreDataTools
import Foundation
import HTTPTypes
import Hummingbird

/// Migrations of a store: the plan, rehearsed with a copy, and carried out where writing is allowed.
struct MigratePages {
  let studio: Studio
  let library: ModelLibrary

  init(studio: Studio) {
    self.studio = studio
    library = ModelLibrary(studio)
  }

  func add(to router: Router<BasicRequestContext>) {
    router.get("/stores/:store/migrate") { request, context in
      try await page(studio.stores.named(context.parameters.get("store")), try Self.view(request))
    }
    router.get("/stores/:store/migrate/confirm") { request, context in
      try await confirm(studio.stores.named(context.parameters.get("store")), try Self.view(request))
    }
    for (path, action) in [("count", MigrateWork.Action.count), ("rehearse", .rehearse), ("run", .run)] {
      router.post("/stores/:store/migrate/\(path)") { request, context in
        let store = try studio.stores.named(context.parameters.get("store"))
        let form = try await Form(request, context, studio)
        if action == .run { try requireWriting() }
        let view = try MigrateView(to: form["to"], source: form["source"], mappings: form["mappings"])
        let wish = try await wish(view)
        let secrets = await secrets(store, view)
        let work = MigrateWork(studio: studio, store: store, view: view, wish: wish, secrets: secrets)
        let job = try await work.start(action)
        return Response.redirect(to: job.link)
      }
    }
  }

  private static func view(_ request: Request) throws -> MigrateView {
    try MigrateView(
      to: request.parameter("to"), source: request.parameter("source"), mappings: request.parameter("mappings"))
  }

  /// - Throws: a `StudioError` unless the studio may write.
  private func requireWriting() throws {
    guard studio.settings.allowsWriting else {
      throw StudioError(
        .forbidden, "Writing is not allowed",
        "The studio was started without --write: it plans and rehearses migrations, and changes no store. Start it with --write to migrate."
      )
    }
  }

  // MARK: Pages

  private func page(_ store: OpenedStore, _ view: MigrateView) async throws -> Response {
    var content: [String: Any] = [
      "store": store.name, "action": Link.store(store.name) + "/migrate", "mayWrite": studio.settings.allowsWriting,
      "destinations": await library.choices(chosen: view.destination),
      "sources": await library.choices(chosen: view.source), "hasSource": view.source != nil,
      "withoutMappings": !view.followsMappings, "hasModels": !library.files.isEmpty || studio.stores.all.count > 1,
    ]
    guard view.destination != nil else {
      return try studio.page("migrate", "Migrate \(store.name)", .migrate(store.name), content)
    }
    content["asked"] = [
      "to": view.destination?.text ?? "", "from": view.source?.text ?? "", "mappings": view.followsMappings ? "" : "no",
      "confirm": view.link(store.name, "/confirm"),
    ]
    do {
      let plan = try await plan(store, view)
      content["plan"] = plan
      content["canRun"] = !plan.isUpToDate
    } catch let error as StudioError where error.status == .badRequest {
      content["failure"] = ["what": error.title, "text": error.text]
      return try studio.page("migrate", "Migrate \(store.name)", .migrate(store.name), status: .badRequest, content)
    }
    return try studio.page("migrate", "Migrate \(store.name)", .migrate(store.name), content)
  }

  private func confirm(_ store: OpenedStore, _ view: MigrateView) async throws -> Response {
    try requireWriting()
    let wish = try await wish(view)
    let (url, name) = (store.url, store.name)
    let isUpToDate = try await withTaskExecutorPreference(StoreThreads.shared) {
      try MigrateWork.failing(name) { try MigrationRehearsal(url, to: wish).isUpToDate }
    }
    if isUpToDate { return Response.redirect(to: view.link(store.name)) }
    let destination = try await library.load(view.destination ?? .store(store.name))
    return try studio.page(
      "migrateConfirm", "Migrate \(store.name)?", .migrate(store.name),
      [
        "store": store.name, "destination": destination.title, "back": view.link(store.name),
        "action": Link.store(store.name) + "/migrate/run", "to": view.destination?.text ?? "",
        "from": view.source?.text ?? "", "mappings": view.followsMappings ? "" : "no",
        "backup": BackupPlace.text(of: store.url),
      ])
  }

  // MARK: Plans

  private func wish(_ view: MigrateView) async throws -> MigrationWish {
    guard let destination = view.destination else {
      throw StudioError(
        .badRequest, "No version is chosen", "Choose the version to migrate to on the page of the migration.")
    }
    let to = try await library.load(destination)
    var source: URL?
    if let reference = view.source { source = try await library.load(reference).url }
    return MigrationWish(model: to.url, source: source, findsMappings: view.followsMappings)
  }

  /// Returns the secret attributes of all versions: a step between two versions has the attributes of both.
  private func secrets(_ store: OpenedStore, _ view: MigrateView) async -> SecretTexts {
    var models: [NSManagedObjectModel] = []
    for reference in [.store(store.name), view.source, view.destination].compactMap({ $0 }) {
      // If the store's model cannot be loaded, the plan says so.
      if let loaded = try? await library.load(reference) { models.append(loaded.model) }
      if case .file(let name, _) = reference, let file = try? library.file(name),
        let content = try? await library.read(file)
      {
        models += content.versions.map(\.model)
      }
    }
    return SecretTexts(models)
  }

  private func plan(_ store: OpenedStore, _ view: MigrateView) async throws -> MigratePlanContent {
    let wish = try await wish(view)
    let secrets = await secrets(store, view)
    let own = try? await store.read { OwnModel($0) }
    let (url, name, folder) = (store.url, store.name, studio.settings.temporaryFolder)
    return try await withTaskExecutorPreference(StoreThreads.shared) {
      try MigrateWork.failing(name) {
        let way = try MigrationRehearsal(url, to: wish)
        if way.isUpToDate { return MigratePlanContent(isUpToDate: true) }
        // If the store's model is not known, the steps are planned with the store itself, and only on demand.
        guard let own else { return MigratePlanContent(isUpToDate: false) }
        let report = try EmptyStorePlan.report(
          source: own.model, configuration: own.configuration, name: name, wish: wish, folder: folder)
        return MigratePlanContent(report, own.kind.isSQLite ? .emptyStore : .emptyStoreOfAnotherKind, secrets)
      }
    }
  }
}
