import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import ServiceLifecycle

/// The page of a job, the job's progress as server-sent events, and the action that stops the job.
struct JobPages {
  let studio: Studio

  func add(to router: Router<BasicRequestContext>) {
    router.get("/jobs/:id") { _, context in try page(studio.jobs.job(context.parameters.get("id"))) }
    router.get("/jobs/:id/events") { request, context in
      events(try studio.jobs.job(context.parameters.get("id")), request)
    }
    router.post("/jobs/:id/stop") { request, context in
      let job = try studio.jobs.job(context.parameters.get("id"))
      _ = try await Form(request, context, studio)
      job.stop()
      return Response.redirect(to: job.link)
    }
  }

  private func page(_ job: Job) throws -> Response {
    let progress = job.progress
    var content: [String: Any] = [
      "job": [
        "title": job.title, "link": job.link, "origin": job.origin, "text": progress.text,
        "done": progress.done, "total": progress.total,
      ] as [String: Any]
    ]
    if progress.total > 0 { content["measured"] = ["done": progress.done, "total": progress.total] }
    switch job.outcome {
    case nil: content["isRunning"] = true
    case .finished(let html): content["result"] = ["html": html]
    case .failed(let title, let text): content["failure"] = ["what": title, "text": text]
    case .stopped(let said): content["stop"] = ["said": said.map { [$0] } ?? []]
    }
    return try studio.page("job", job.title, job.section, content)
  }

  private struct Event: Encodable {
    var progress: Job.Progress
    var hasEnded: Bool
  }

  private func events(_ job: Job, _ request: Request) -> Response {
    ServerSentEvents.response(request) { send in
      // The studio ends once its responses have ended.
      for try await _ in job.changes().cancelOnGracefulShutdown() {
        try await send(Event(progress: job.progress, hasEnded: job.outcome != nil))
        // The pause limits the events, because a page need not be told a thousand times a second.
        try await Task.sleep(for: .milliseconds(100))
      }
      try await send(Event(progress: job.progress, hasEnded: job.outcome != nil))
    }
  }
}
