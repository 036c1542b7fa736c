import CommandSupport
import CoreDataTools
import Foundation
import HTTPTypes
import Hummingbird
import ServiceLifecycle

/// The pages of recordings: a list, and a page for each recording, which grows while a program writes the recording.
struct RecordingPages {
  let studio: Studio
  private let catalog: RecordingCatalog
  private let views = RecordingViews()

  init(studio: Studio) {
    self.studio = studio
    catalog = RecordingCatalog(studio.settings)
  }

  func add(to router: Router<BasicRequestContext>) {
    router.get("/recordings") { _, _ in try await list() }
    router.get("/recordings/:name") { _, context in
      let entry = try await entry(context)
      return try studio.page(
        "recording", entry.name, .recordings, ["recording": try await content(entry), "entryName": entry.name])
    }
    router.get("/recordings/:name/content") { _, context in
      try studio.fragment("recordingcontent", try await content(entry(context)))
    }
    router.get("/recordings/:name/events") { request, context in
      let entry = try await entry(context)
      return events(entry, request)
    }
  }

  /// Reads files on threads that may block.
  private func onThread<Value: Sendable>(_ body: @escaping @Sendable () async throws -> Value) async throws -> Value {
    try await withTaskExecutorPreference(StoreThreads.shared) { try await Self.called(body) }
  }

  private static func called<Value: Sendable>(_ body: @Sendable () async throws -> Value) async throws -> Value {
    try await body()
  }

  private func entry(_ context: some RequestContext) async throws -> RecordingCatalog.Entry {
    let name = context.parameters.get("name")
    return try await onThread { try catalog.named(name) }
  }

  // MARK: The list

  private func list() async throws -> Response {
    let entries = try await onThread { catalog.all() }
    let latest = entries.sorted { $0.modified > $1.modified }
    return try studio.page(
      "recordings", "Instruments", .recordings,
      [
        "recordings": latest.map { entry -> [String: Any] in
          [
            "name": entry.name, "link": Link.path("recordings", entry.name), "isThere": entry.size != nil,
            "size": entry.size.map(FigureText.bytes) ?? "", "isGrowing": entry.isGrowing,
            "changed": entry.size == nil ? "" : entry.modified.formatted(Date.ISO8601FormatStyle()),
            "runs": entry.isOfRun
              ? [Link.path("tests", "runs", entry.url.deletingPathExtension().lastPathComponent)] : [],
          ]
        },
        "isEmpty": latest.isEmpty,
        "folders": catalog.folders.map(\.path), "hasFolder": !catalog.folders.isEmpty,
      ])
  }

  // MARK: A recording

  private func content(_ entry: RecordingCatalog.Entry) async throws -> [String: Any] {
    guard entry.size != nil else {
      throw StudioError(.gone, "The recording is gone", "There is no file at \(entry.url.path) any more.")
    }
    let view = try await onThread {
      let paths = try await views.stores(of: entry.url)
      return try await views.view(of: entry.url, await stores(at: paths))
    }
    let facts = view.facts
    let isGrowing = facts.end == nil && entry.isGrowing
    let link = Link.path("recordings", entry.name)
    let state =
      isGrowing
      ? "it is being written"
      : facts.end.map { "until \($0 == "stopped" ? "it was stopped" : $0)" } ?? "not finished: the program was killed"
    var content: [String: Any] = [
      "program": URL(fileURLWithPath: facts.program).lastPathComponent, "process": facts.processID,
      "started": facts.started.formatted(Date.ISO8601FormatStyle()), "duration": FigureText.duration(facts.duration),
      "state": state, "html": view.html, "timeline": view.timeline,
      "runs": entry.isOfRun ? [Link.path("tests", "runs", entry.url.deletingPathExtension().lastPathComponent)] : [],
    ]
    if isGrowing { content["live"] = ["events": link + "/events", "content": link + "/content"] }
    return content
  }

  /// Returns the stores of the studio that a recording is about: by their place, or else by their name.
  private func stores(at paths: [String]) async -> [RecordedStore] {
    func place(_ path: String) -> String { URL(fileURLWithPath: path).resolvingSymlinksInPath().path }
    let places = Set(paths.map(place)), names = Set(paths.map { URL(fileURLWithPath: $0).lastPathComponent })
    let files = studio.stores.all.filter(\.url.isFileURL)
    let same = files.filter { places.contains(place($0.url.path)) }
    var stores: [RecordedStore] = []
    for store in same.isEmpty ? files.filter({ names.contains($0.url.lastPathComponent) }) : same {
      // A store that cannot be read is left out here; its own page shows the error.
      if let known = try? await store.read({ RecordedStore(store.name, $0.model) }) { stores.append(known) }
    }
    return stores
  }

  // MARK: A growing recording

  private struct Event: Encodable {
    var size: Int
    var isGrowing: Bool
  }

  private func events(_ entry: RecordingCatalog.Entry, _ request: Request) -> Response {
    ServerSentEvents.response(request) { send in
      var last = -1
      // The studio ends once its responses have ended.
      while !Task.isShuttingDownGracefully {
        let facts = try await onThread { RecordingCatalog.facts(entry.url).map { ($0.size, $0.modified) } }
        let isGrowing = facts.map { Date().timeIntervalSince($0.1) < RecordingCatalog.patience } ?? false
        if let size = facts?.0, size != last || !isGrowing {
          last = size
          try await send(Event(size: size, isGrowing: isGrowing))
        }
        guard isGrowing else { return try await send(Event(size: last, isGrowing: false)) }
        try await Task.sleep(for: .seconds(1))
      }
    }
  }
}
