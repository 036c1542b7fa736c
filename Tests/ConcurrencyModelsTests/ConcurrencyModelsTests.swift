import Foundation
import Testing
import ToolProcess

@testable import ConcurrencyModels

/// `ConcurrencyModels` as a user runs it, by results and statements, which do not depend on the machine.
@Suite struct ConcurrencyModelsTests {
  private func report(_ arguments: String...) throws -> Report {
    let tool = try Tool(program: "ConcurrencyModels", arguments + ["--json"])
    #expect(tool.status == 0, "\(tool.errors)")
    return try JSONDecoder().decode(Report.self, from: Data(tool.output.utf8))
  }

  @Test func everyArrangementShowsAndStoresAllSongsAndEdits() throws {
    let report = try report("--only", "arrangements", "--count", "300", "--part", "60", "--pause", "3")
    #expect(report.runs.map(\.arrangement) == Arrangement.allCases)
    let total = Stack.songsBefore + 300
    for run in report.runs {
      #expect(run.songsListed == total && run.songsStored == total, "\(run.arrangement)")
      #expect(run.edits > 0 && run.songsEdited > 0 && run.editsStored == run.songsEdited, "\(run.arrangement)")
      #expect(run.stalls.longest > 0 && run.stalls.percentile99 > 0 && run.stalls.answers > 0)
      #expect(run.listed > 0 && run.written > 0 && run.throughput > 0 && run.memory > 0)
      #expect(run.misses <= run.faults && run.reads <= run.statements)
    }
  }

  /// A long wait counts as one of all the touches that would have come meanwhile.
  @Test func stallsAreWhatTouchesWouldHaveWaited() {
    let short = Array(repeating: 1.0, count: 90)
    let some = Heartbeat.Stalls(waits: short + [20], interval: 2)
    // 90 waits of 1, and 20, 18 ... 2: of these hundred, one in a hundred is the longest.
    #expect(some.longest == 20 && some.percentile99 == 20 && some.answers == 91)
    let more = Heartbeat.Stalls(waits: short + short + [20], interval: 2)
    #expect(more.longest == 20 && more.percentile99 == 18 && more.answers == 181)
    let none = Heartbeat.Stalls(waits: [], interval: 2)
    #expect(none.longest == 0 && none.percentile99 == 0 && none.answers == 0)
  }

  @Test func eachWayTellsTheListInItsOwnSteps() throws {
    let report = try report("--only", "arrangements", "--count", "100", "--part", "20", "--pause", "0")
    func run(_ arrangement: Arrangement) throws -> Report.Run {
      try #require(report.runs.first { $0.arrangement == arrangement })
    }
    // A save is told of once, with a change for each song; new sections come besides.
    for arrangement in [Arrangement.one, .merging, .child, .levels, .coordinators] {
      let run = try run(arrangement)
      #expect(run.reports == 5 && run.changes >= 100 && run.fetches == 1, "\(arrangement) \(run)")
    }
    // Saves that wait are merged together.
    for arrangement in [Arrangement.automatic, .history] {
      let run = try run(arrangement)
      #expect((1...5).contains(run.reports) && run.changes >= 100 && run.fetches == 1, "\(arrangement) \(run)")
    }
    let refetching = try run(.refetching)
    #expect(refetching.reports == 0 && refetching.changes == 0 && refetching.fetches == 6)
    // Only what stands on a coordinator writes, each part once; the writer at the top takes together what waits.
    for run in report.runs where run.arrangement != .levels {
      #expect(run.saves == 5, "\(run.arrangement)")
    }
    #expect(try (1...5).contains(run(.levels).saves))
    // Each song and each disc is a row; whatever else is written or read comes on top.
    for run in report.runs { #expect(run.statements - run.reads >= 105, "\(run.arrangement)") }
    // Within a coordinator rows are shared; another one reads what is merged from the file, the songs of a save together.
    for arrangement in [Arrangement.one, .merging, .automatic] {
      #expect(try run(arrangement).misses < 20, "\(arrangement)")
    }
    #expect(try (10..<60).contains(run(.coordinators).reads))
  }

  @Test func aSaveIsOneTurnOfTheMainQueue() throws {
    let report = try report("--only", "saves", "--slow-count", "200", "--slow", "1")
    #expect(report.saves.map(\.part) == [200, 100])
    #expect(report.saves.map(\.saves) == [1, 2] && report.saves.map(\.reports) == [1, 2])
    for measure in report.saves { #expect(measure.changes >= 200) }
    // By the sleeps alone, a merge of 200 takes twice as long as one of 100.
    #expect(report.saves[0].stalls.longest >= 0.2)
  }

  @Test func aFetchThroughLevelsFindsTheSame() throws {
    let report = try report("--only", "levels", "--count", "500")
    #expect(report.levels.map(\.songs) == [500, 500, 500, 500])
    #expect(report.levels[0].objectsAbove == 0)
    for measure in report.levels { #expect(measure.cost.rows >= 500 && measure.cost.statements >= 1) }
    // Nothing is changed above: the statement is the coordinator's, and no level keeps an object for it.
    for measure in report.levels[1...2] {
      #expect(measure.cost.statements == report.levels[0].cost.statements && measure.objectsAbove == 0)
    }
  }

  @Test func waitingStopsTheMainQueue() throws {
    let report = try report("--only", "waiting", "--count", "400")
    #expect(report.waiting.map(\.songs) == [400, 400])
    // It answers when all is done, and not before.
    #expect(report.waiting[0].stalls.answers == 1)
  }

  @Test func mistakesAreAnsweredAndTheRightWayWorks() throws {
    let report = try report("--only", "mistakes")
    #expect(report.mistakes.count == 3)
    let (object, id, coordinators) = (report.mistakes[0], report.mistakes[1], report.mistakes[2])
    #expect(
      object.wrong.contains("was used off its queue: ") && object.wrong.contains("entity: Song"), "\(object.wrong)")
    #expect(object.right == SongValues(number: 0).title)
    #expect(id.wrong.hasPrefix("NSCocoaErrorDomain 133000: ") && id.right == "New", "\(id)")
    #expect(coordinators.wrong.hasPrefix("NSCocoaErrorDomain 133000: "), "\(coordinators)")
    #expect(coordinators.right == "In both")
  }

  @Test func theWrongWayIsStoppedByTheCheck() throws {
    let tool = try Tool(program: "ConcurrencyModels", ["--wrong"], environment: ["SWIFT_BACKTRACE": "enable=no"])
    #expect(tool.status != 0 && tool.output.isEmpty)
    #expect(tool.errors.contains("was used off its queue"), "\(tool.errors)")
  }

  @Test func theFormIsShownStepByStep() throws {
    let steps = try report("--only", "editor").editor
    func row(_ title: String) throws -> [String] {
      let step = try #require(steps.first { $0.title == title }, "\(title)")
      return [step.form, step.list, step.store]
    }
    #expect(try row("typed") == ["Sing 3", "Song 0", "Song 0"])
    #expect(try row("undone in the form") == ["Sing 0", "Song 0", "Song 0"])
    #expect(try row("thrown away") == ["-", "Song 0", "Song 0"])
    #expect(try row("pushed one level") == ["Sang 0", "Sang 0", "Song 0"])
    #expect(try row("pushed, and saved by the writer") == ["Sang 4", "Sang 4", "Sang 4"])
    #expect(try row("both have changed it")[0] == "Sung 1")
    #expect(try row("mine kept, and saved") == ["Sung 1", "Sung 1", "Sung 1"])
    #expect(try row("deleted in the form") == ["-", "Sung 1", "Sung 1"])
    #expect(try row("deleted below the form")[1...] == ["-", "-"])
  }

  @Test func theBarsAreTextAndAPicture() throws {
    let chart = FileManager.default.temporaryDirectory.appending(path: "bars-\(UUID().uuidString).svg")
    defer { try? FileManager.default.removeItem(at: chart) }
    let tool = try Tool(
      program: "ConcurrencyModels",
      ["--only", "arrangements", "--count", "20", "--pause", "0", "--chart", chart.path])
    #expect(tool.status == 0, "\(tool.errors)")
    #expect(tool.output.hasPrefix("Longest stall of the main queue\n  one context"))
    for title in ["Stall at the 99th", "Until the last song is on disk", "Until the list shows it", "Memory at most"] {
      #expect(tool.output.contains("\n\(title)"), "\(title)")
    }
    let svg = try String(contentsOf: chart, encoding: .utf8)
    #expect(svg.matches(of: /class="bar"/).count == 5 * Arrangement.allCases.count)
    #expect(tool.errors.contains("history, by token\n") && tool.errors.contains("] 100%  20 of 20"))
  }

  @Test func wrongArgumentsAreExplained() throws {
    let none = try Tool(program: "ConcurrencyModels", ["--count", "0"])
    #expect(none.status == 64 && none.errors.contains("--count must be 1 to 1000000, not 0."))
    let other = try Tool(program: "ConcurrencyModels", ["--arrangement", "flat"])
    #expect(other.status == 64 && other.errors.contains("flat"))
    let help = try Tool(program: "ConcurrencyModels", ["--help"])
    #expect(help.status == 0 && help.output.contains("(default: 100000)"), "\(help.output)")
  }

  @Test func storesAreKeptWhereToldAndNeverOverwritten() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "ConcurrencyModels-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    let arguments = [
      "--only", "arrangements", "--arrangement", "one", "--count", "5", "--folder", folder.path, "--json",
    ]
    #expect(try Tool(program: "ConcurrencyModels", arguments).status == 0)
    #expect(FileManager.default.fileExists(atPath: folder.appending(path: "one.sqlite").path))
    let again = try Tool(program: "ConcurrencyModels", arguments)
    #expect(again.status == 1 && again.errors.contains("There is a store in \(folder.path) already"))
  }
}
