import CommandSupport
import CoreDataTools
import Foundation
import HTTPTypes
import Hummingbird
import ServiceLifecycle

/// The pages of programs that can be looked into while they run.
struct RunningPages {
  let studio: Studio
  private let catalog: RecordingCatalog

  init(studio: Studio) {
    self.studio = studio
    catalog = RecordingCatalog(studio.settings)
  }

  func add(to router: Router<BasicRequestContext>) {
    router.get("/running") { _, _ in try await list() }
    router.get("/running/:process") { _, context in
      let program = try await program(context)
      return try studio.page("running", program.name, .running, try await content(program))
    }
    router.get("/running/:process/content") { _, context in
      try studio.fragment("runningcontent", try await content(program(context)))
    }
    router.get("/running/:process/events") { request, context in
      let program = try await program(context)
      return events(program, request)
    }
    router.get("/running/:process/contexts/:context") { request, context in
      try await page(program(context), context.parameters.get("context") ?? "", request)
    }
    router.post("/running/:process/record") { request, context in
      _ = try await Form(request, context, studio)
      return try await record(program(context))
    }
    router.post("/running/:process/stop") { request, context in
      _ = try await Form(request, context, studio)
      return try await stop(program(context))
    }
  }

  /// Waits for programs on threads that may block.
  private func onThread<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
    try await withTaskExecutorPreference(StoreThreads.shared) { try await Self.called(body) }
  }

  private static func called<Value: Sendable>(_ body: @Sendable () throws -> Value) async throws -> Value {
    do { return try body() } catch let error as ToolError {
      throw StudioError(.badGateway, "The program cannot be looked into", error.description)
    }
  }

  private func programs() async throws -> [RunningProgram] {
    let folder = studio.settings.listening
    return try await onThread { try RunningProgram.all(in: folder) }
  }

  /// A program of the list: no path comes from a browser.
  private func program(_ context: some RequestContext) async throws -> RunningProgram {
    let process = context.parameters.get("process")
    guard let program = try await programs().first(where: { "\($0.process)" == process }) else {
      throw StudioError.notFound("No program with the process ID “\(process ?? "")” listens any more.")
    }
    return program
  }

  // MARK: The list

  private func list() async throws -> Response {
    let programs = try await programs()
    return try studio.page(
      "runninglist", "Running programs", .running,
      [
        "programs": programs.map { ["name": $0.name, "process": "\($0.process)", "link": link($0)] },
        "isEmpty": programs.isEmpty,
      ])
  }

  private func link(_ program: RunningProgram) -> String { Link.path("running", "\(program.process)") }

  // MARK: A program

  private func content(_ program: RunningProgram) async throws -> [String: Any] {
    let tree = try await onThread { try program.connection().tree() }
    let link = link(program)
    let recording = tree.program.recording.map { URL(fileURLWithPath: $0).lastPathComponent }
    return [
      "name": program.name, "process": "\(program.process)", "link": link, "token": studio.formToken,
      "path": tree.program.program, "isRecording": tree.program.isRecording,
      "recordings": recording.map { [Link.path("recordings", $0)] } ?? [],
      "tree": RunningTree(tree, link: link).html, "tiles": RunningTree.tiles(tree),
      "waiting": tree.program.waiting.map { waiting in
        "Thread \(waiting.thread) waits for "
          + (waiting.forMainQueue ? "the main queue." : "context \(waiting.context ?? "of a child").")
      },
      "isWaiting": !tree.program.waiting.isEmpty,
    ]
  }

  private func events(_ program: RunningProgram, _ request: Request) -> Response {
    ServerSentEvents.response(request) { send in
      let connection = try await onThread { try program.connection() }
      var next = try await onThread { try connection.events(from: nil) }.next
      // The studio ends once its responses have ended.
      while !Task.isShuttingDownGracefully {
        let from = next
        // Ends with the program.
        guard let portion = try? await onThread({ try connection.events(from: from) }) else { return }
        next = portion.next
        if next != from { try await send(RunningEvents(portion)) }
        try await Task.sleep(for: .milliseconds(300))
      }
    }
  }

  // MARK: A context

  private func page(_ program: RunningProgram, _ id: String, _ request: Request) async throws -> Response {
    let parameters = request.uri.queryParameters
    let predicate = parameters["predicate"].map(String.init) ?? ""
    let entity = parameters["entity"].map(String.init) ?? ""
    let (context, changes, objects) = try await onThread {
      let connection = try program.connection()
      guard let context = try connection.tree().context(id) else {
        throw StudioError.notFound("The program has no context “\(id)” any more.")
      }
      return (context, try connection.changes(of: context.id), try connection.objects(of: context.id))
    }
    var content = RunningContext(context, changes, objects).content
    do {
      let asked = try await matches(program, context.id, predicate, entity)
      content["answers"] = asked.map { [RunningContext.content($0)] } ?? []
    } catch let error as StudioError {
      content["mistake"] = [error.text]
    }
    content["back"] = link(program)
    content["programName"] = program.name
    content["path"] = link(program) + "/contexts/" + Link.escaped(context.id)
    (content["predicate"], content["entity"]) = (predicate, entity)
    return try studio.page("runningcontext", context.name ?? context.id, .running, content)
  }

  private func matches(
    _ program: RunningProgram, _ id: String, _ predicate: String, _ entity: String
  ) async throws -> LiveMatches? {
    if predicate.isEmpty { return nil }
    return try await onThread {
      try program.connection().matches(predicate, in: id, entity: entity.isEmpty ? nil : entity)
    }
  }

  // MARK: Recording

  private func record(_ program: RunningProgram) async throws -> Response {
    let catalog = catalog
    try await onThread {
      try program.connection().startRecording(to: catalog.newFile("\(program.name)-\(program.process)"))
    }
    return Response.redirect(to: link(program))
  }

  /// Stops the recording and shows it.
  private func stop(_ program: RunningProgram) async throws -> Response {
    let catalog = catalog
    let name = try await onThread { () -> String? in
      guard let file = try program.connection().stopRecording() else { return nil }
      return catalog.all().first { $0.url.standardizedFileURL.path == file.standardizedFileURL.path }?.name
    }
    return Response.redirect(to: name.map { Link.path("recordings", $0) } ?? "/recordings")
  }
}
