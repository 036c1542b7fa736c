import CommandSupport
import CoreData
import ExampleSupport
import Foundation

/// One run, on the main thread, with a store of its own for each part.
@MainActor struct Session {
  let folder: URL
  let parts: [Part]
  let arrangements: [Arrangement]
  /// The number of songs to import.
  let count: Int
  /// The number of songs in a save.
  let part: Int
  /// The milliseconds between two edits; 0 for none.
  let pause: Int
  /// The number of songs that are saved at once and in saves of 100.
  let slowCount: Int
  /// The milliseconds that the slow list takes for each change.
  let slow: Int
  private let bar = ProgressBar()

  init(
    folder: URL, parts: [Part], arrangements: [Arrangement], count: Int, part: Int, pause: Int, slowCount: Int,
    slow: Int
  ) {
    self.folder = folder
    self.parts = parts
    self.arrangements = arrangements
    self.count = count
    self.part = part
    self.pause = pause
    self.slowCount = slowCount
    self.slow = slow
  }

  /// - Throws: The errors of opening, saving and fetching.
  func run() async throws -> Report {
    var report = Report(count: count, part: part, pause: pause)
    for part in parts {
      switch part {
      case .arrangements: for arrangement in arrangements { report.runs.append(try await run(arrangement)) }
      case .saves:
        title("A list that takes \(slow) ms for each change")
        report.saves = try await SaveSizes(count: slowCount, timeForChange: .milliseconds(slow)).run(in: folder)
      case .levels:
        title("A fetch through levels")
        report.levels = try FetchLevels(count: count).run(in: folder)
      case .waiting:
        title("Waiting for a context")
        report.waiting = try await Waiting(count: count).run(in: folder)
      case .mistakes:
        title("Mistakes")
        report.mistakes = [
          try await HandedOverObject(folder: folder).mistake(), try await TemporaryID(folder: folder).mistake(),
          try await MixedCoordinators(folder: folder).mistake(),
        ]
      case .editor:
        title("The nested editor")
        report.editor = try await EditorWalk(url: folder.appending(path: "editor.sqlite")).run()
      }
    }
    return report
  }

  /// Runs one arrangement here; several, each in a process of its own, so that none has the memory of those before.
  private func run(_ arrangement: Arrangement) async throws -> Report.Run {
    if arrangements.count > 1 { return try runAside(arrangement) }
    title(arrangement.title)
    let run = ArrangementRun(arrangement: arrangement, count: count, part: part, pause: .milliseconds(pause))
    let url = folder.appending(path: "\(arrangement.rawValue).sqlite")
    let result = try await run.run(at: url) { bar.show($0, of: count) }
    bar.finish()
    return result
  }

  private func runAside(_ arrangement: Arrangement) throws -> Report.Run {
    let program = try OwnProgram([
      "--only", "arrangements", "--arrangement", arrangement.rawValue, "--count", "\(count)", "--part", "\(part)",
      "--pause", "\(pause)", "--folder", folder.appending(path: arrangement.rawValue).path, "--json",
    ])
    guard program.status == 0, let run = try JSONDecoder().decode(Report.self, from: program.output).runs.first else {
      throw ToolError("\(arrangement.title): the program ended with the code \(program.status).")
    }
    return run
  }

  private func title(_ text: String) {
    bar.begin(text)
    bar.finish()
  }
}
