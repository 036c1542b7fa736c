import Foundation
import Synchronization

/// Runs test programs, one at a time, because two programs would disturb each other's times.
final class TestRunner: Sendable {
  private let programs: URL?
  private let kept: KeptRuns
  private let temporaryFolder: URL
  private let isBusy = Mutex(false)

  /// - Parameter temporaryFolder: The folder for temporary files of the programs.
  init(programs: URL?, kept: KeptRuns, temporaryFolder: URL) {
    (self.programs, self.kept, self.temporaryFolder) = (programs, kept, temporaryFolder)
  }

  /// Reserves the runner for one run.
  /// - Throws: A `StudioError` while another run is going on.
  func take() throws {
    let isTaken = isBusy.withLock { busy in
      defer { busy = true }
      return !busy
    }
    guard isTaken else {
      throw StudioError(
        .conflict, "A test runs already",
        "Two would disturb each other's times. Wait until it has ended, or stop it on its page.")
    }
  }

  func give() { isBusy.withLock { $0 = false } }

  /// Runs a program and keeps the results. Blocks the thread. The caller must have reserved the runner, and releases it
  /// afterwards.
  /// - Throws: A `StudioError` if the run failed, `CancellationError` if it was stopped.
  func run(_ program: TestProgram, _ choice: TestChoice, isRecorded: Bool, _ job: Job) throws -> RunRecord {
    let executable = try executable(of: program)
    try kept.prepare()
    let started = Date()
    let id = KeptRuns.newID(started)
    let place = temporaryFolder.appendingPathComponent("studio-run-\(id)")
    try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: place) }
    var environment = ProcessInfo.processInfo.environment
    environment["COREDATA_INSTRUMENTS"] = nil
    environment["TMPDIR"] = place.path
    var all = choice.arguments + ["--json"]
    if program.loadsBefore {
      let store = try load(program, choice, environment, job)
      all.append("--store=\(store.path)")
    }
    if isRecorded { environment["COREDATA_INSTRUMENTS"] = kept.recording(of: id).path }
    do {
      let result = try process(executable, all, environment, job)
      let series = try program.series(result.output)
      let run = RunRecord(
        id: id, program: program.id, title: Self.title(program, choice),
        settings: program.options.compactMap { option in
          let values = choice[option.name]
          return values.isEmpty ? nil : .init(name: option.name, title: option.title, values: values)
        }, started: started, seconds: result.seconds, processorSeconds: result.processorSeconds,
        peakBytes: result.peakBytes, series: series, isRecorded: isRecorded,
        failure: result.code == 0 ? nil : Self.lastLine(result.messages))
      try kept.keep(run)
      return run
    } catch {
      try? FileManager.default.removeItem(at: kept.recording(of: id))
      throw error
    }
  }

  private func executable(of program: TestProgram) throws -> URL {
    guard let found = program.executable(in: programs) else {
      throw StudioError(.conflict, "The program is not built", Self.hint(program))
    }
    return found
  }

  /// Returns the advice to build a missing program, with the command.
  static func hint(_ program: TestProgram) -> String {
    "Build it with “swift build -c release --product \(program.executable)” in the project's folder."
  }

  private static func title(_ program: TestProgram, _ choice: TestChoice) -> String {
    let names = choice["test"]
    return program.id == "tune" && (1...3).contains(names.count) ? names.joined(separator: ", ") : program.title
  }

  // MARK: Parts

  /// Returns the store that a test reads. A process of its own loads the store, so that none of the data is in memory; the
  /// store is kept for the next run.
  private func load(
    _ program: TestProgram, _ choice: TestChoice, _ environment: [String: String], _ job: Job
  ) throws -> URL {
    let executable = try executable(of: program)
    let sizes = ["people", "selfies", "networks"].flatMap { choice[$0] }
    let store = kept.store("tune-\(sizes.joined(separator: "x"))")
    let options = choice.values.filter { ["people", "selfies", "networks"].contains($0.name) }
      .flatMap { name, values in values.map { "--\(name)=\($0)" } }
    do {
      _ = try process(
        executable, options + ["--test=DidFault", "--json", "--store=\(store.path)"], environment, job,
        mayFail: false)
    } catch let error as StudioError {
      // A damaged store would make every later run fail, so it is removed.
      KeptRuns.removeStore(store)
      throw error
    }
    return store
  }

  private func process(
    _ executable: URL, _ arguments: [String], _ environment: [String: String], _ job: Job, mayFail: Bool = true
  ) throws -> RunProcess.Result {
    let process = try RunProcess(executable, arguments, environment: environment)
    var progress = RunProgress()
    let result = process.run(isStopped: { job.isStopped }) { line in
      let (text, done, total) = progress.read(line)
      // `isStopped` notices a request to stop, so an error of this call is ignored.
      try? job.report(text, done, of: total)
    }
    if job.isStopped { throw CancellationError() }
    // A program that fails with the code 1 but writes a report has run a test that found something wrong.
    guard result.code == 0 || mayFail && result.code == 1 && !result.output.isEmpty else {
      let end = result.code.map { "It ended with the code \($0)." } ?? "A signal ended it."
      throw StudioError(.internalServerError, "The program failed", "\(end) \(Self.lastLine(result.messages))")
    }
    return result
  }

  private static func lastLine(_ messages: String) -> String {
    messages.split(separator: "\n").last.map { String($0.suffix(1000)) } ?? "It said nothing."
  }
}
