import CoreDataTools
import Foundation
import HTTPTypes
import Hummingbird

/// The pages of tests: the picker of tests, the kept runs, and their comparison.
struct RunPages {
  let studio: Studio
  let kept: KeptRuns
  let runner: TestRunner

  init(studio: Studio) {
    self.studio = studio
    kept = KeptRuns(studio.settings.runs)
    runner = TestRunner(
      programs: studio.settings.programs, kept: kept, temporaryFolder: studio.settings.temporaryFolder)
  }

  func add(to router: Router<BasicRequestContext>) {
    router.get("/tests") { _, _ in try await picker() }
    router.post("/tests/:program/run") { request, context in
      let program = try TestProgram.named(context.parameters.get("program"))
      let form = try await Form(request, context, studio)
      return try run(program, TestChoice(program, form.all), isRecorded: form["record"] != nil)
    }
    router.get("/tests/runs/:id") { _, context in try await page(context.parameters.get("id")) }
    router.post("/tests/runs/:id/remove") { request, context in
      _ = try await Form(request, context, studio)
      let id = context.parameters.get("id")
      try await onThread {
        // A damaged run can be removed, too.
        if let id, kept.all().unreadable.contains("\(id).json") { return kept.remove(id) }
        kept.remove(try kept.run(id).id)
      }
      return Response.redirect(to: "/tests#runs")
    }
    router.get("/tests/compare") { request, _ in try await compare(request) }
  }

  /// Runs a function on a thread that may block, to read files and to wait for programs.
  private func onThread<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
    try await withTaskExecutorPreference(StoreThreads.shared) {
      // The preference for an executor applies to functions that are not isolated to an actor, such as this one.
      try await Self.called(body)
    }
  }

  private static func called<Value: Sendable>(_ body: @Sendable () throws -> Value) async throws -> Value { try body() }

  // MARK: The picker

  private func picker() async throws -> Response {
    let list = try await onThread { kept.all() }
    let running = studio.jobs.running.filter { $0.section == .tests }
    return try studio.page(
      "tests", "Tests", .tests,
      [
        "suggestions": TestSuggestion.all.map(PickerContent.suggestion),
        "programs": TestProgram.all.map { PickerContent.program($0, studio.settings.programs) },
        "runs": list.runs.map(PickerContent.run), "hasRuns": !list.runs.isEmpty,
        "unreadable": list.unreadable.map { ["file": $0, "id": String($0.dropLast(5))] },
        "folder": kept.folder.path,
        "running": running.map { ["title": $0.title, "link": $0.link] },
      ])
  }

  private func run(_ program: TestProgram, _ choice: TestChoice, isRecorded: Bool) throws -> Response {
    try runner.take()
    let job: Job
    do {
      job = try studio.jobs.start("Running \(program.title)", origin: "/tests", section: .tests) { job in
        defer { runner.give() }
        let run = try runner.run(program, choice, isRecorded: isRecorded, job)
        try job.report("Reading what came of it")
        return try studio.templates.text("runresult", try content(run))
      }
    } catch {
      runner.give()
      throw error
    }
    return Response.redirect(to: job.link)
  }

  // MARK: A run

  private func page(_ id: String?) async throws -> Response {
    let (title, html) = try await onThread {
      let run = try kept.run(id)
      return (run.title, try studio.templates.text("runresult", try content(run)))
    }
    return try studio.page("run", title, .tests, ["run": ["heading": title, "html": html]])
  }

  private func content(_ run: RunRecord) throws -> [String: Any] {
    let recording = kept.recording(of: run.id)
    let isThere = run.isRecorded && FileManager.default.fileExists(atPath: recording.path)
    let findings = isThere ? try RunContent.findings(of: recording) : []
    let comparison = RunComparison([run], by: .time)
    return [
      "run": RunContent(run, findings: findings, recording: isThere ? recording.lastPathComponent : nil),
      "isRecorded": isThere, "isCalm": findings.isEmpty, "chart": RunChart(comparison).content,
      "caption": "Time of each", "stylesheet": "/assets/\(studio.assets.version)/runs.css",
      "again": PickerContent.again(run), "token": studio.formToken,
    ]
  }

  // MARK: Runs beside each other

  private func compare(_ request: Request) async throws -> Response {
    let parameters = request.uri.queryParameters
    let ids = parameters[values: "run"].map(String.init)
    guard let figure = RunFigure(rawValue: parameters["by"].map(String.init) ?? "time") else {
      throw StudioError(
        .badRequest, "There is no such figure",
        "Expected one of \(RunFigure.allCases.map(\.rawValue).joined(separator: ", ")) behind “by=”.")
    }
    guard !ids.isEmpty else {
      throw StudioError(.badRequest, "No run was chosen", "Tick runs in the list of the page “Tests”, two or more.")
    }
    let runs = try await onThread {
      // The oldest run comes first, so that later results stand to the right of earlier ones.
      try Set(ids).sorted().map(kept.run)
    }
    let comparison = RunComparison(runs, by: figure)
    let chart = RunChart(comparison)
    return try studio.page(
      "runcompare", "Comparison of runs", .tests,
      [
        "figures": RunFigure.allCases.map { other in
          [
            "title": other.title, "isCurrent": other == figure,
            "link": Link.query("/tests/compare", ids.map { ("run", $0) } + [("by", other.rawValue)]),
          ] as [String: Any]
        },
        "runs": zip(runs, RunComparison.labels(runs)).map { run, label in
          ["title": run.title, "label": label, "link": Link.path("tests", "runs", run.id)]
        },
        "chart": chart.content, "caption": figure.title, "isEmpty": comparison.measures.isEmpty,
        "hasMore": runs.reduce(0) { $0 + $1.series.count } > RunComparison.limit, "limit": RunComparison.limit,
        "columns": comparison.series.map(\.title),
        "lines": comparison.measures.map { name in
          let first = comparison.series.first?.values[name]
          return [
            "name": name,
            "cells": comparison.series.enumerated().map { place, series in
              [
                "text": series.values[name].map(figure.text) ?? "",
                "ratio": place == 0 ? "" : Self.ratio(first, series.values[name]),
              ]
            },
          ] as [String: Any]
        },
      ])
  }

  /// Returns the ratio of a value to the first run's value, in words; empty if one of them is missing or zero.
  private static func ratio(_ first: Double?, _ value: Double?) -> String {
    guard let first, let value, first > 0, value > 0 else { return "" }
    return String(format: "%.2f times", value / first)
  }
}
