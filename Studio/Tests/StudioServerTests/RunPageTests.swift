import Foundation
import Hummingbird
import Testing

@testable import StudioServer

/// The picker of tests: programs run in processes of their own, their figures are kept and compared.
@Suite struct RunPageTests {
  /// A folder with a program in place of one of the picker's: a script, so that no program need be built.
  private final class Programs: Sendable {
    let folder: URL
    let runs: URL

    init(_ name: String, _ script: String) throws {
      folder = FileManager.default.temporaryDirectory.appendingPathComponent("programs-\(UUID().uuidString)")
      runs = folder.appendingPathComponent("runs")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      let file = folder.appendingPathComponent(name)
      try Data("#!/bin/sh\n\(script)\n".utf8).write(to: file)
      try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: file.path)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    var settings: StudioSettings {
      var settings = StudioSettings(runs: runs)
      settings.programs = folder
      return settings
    }
  }

  private static let report =
    #"{"count":5,"opening":{"elapsed":0.25,"mainThreadTurns":1},"writing":{"saves":5,"elapsed":1.5},"#
    + #""reading":{"reads":3,"longest":0.125,"fraction":1},"store":"x"}"#

  private func run(_ visitor: Visitor, _ program: String, _ fields: [(String, String)]) async throws -> Visitor.Answer {
    let picker = try await visitor.get("/tests")
    return try await visitor.post("/tests/\(program)/run", fields, token: visitor.token(of: picker))
  }

  @Test func theStudioWithoutAStoreIsThePicker() async throws {
    let programs = try Programs("tune", "exit 0")
    try await Visitor.visit(programs.settings) { visitor in
      #expect(try await visitor.get("/").headers[.location] == "/tests")
      let page = try await visitor.get("/tests")
      for test in ["FetchAll", "SingleFault", "BatchUpdate"] { #expect(page.text.contains("value=\"\(test)\"")) }
      // One program is there; of the others it is said how to build them.
      #expect(page.text.contains("action=\"/tests/tune/run\""))
      #expect(page.text.contains("swift build -c release --product Photos"))
      let answer = try await run(visitor, "photos", [])
      #expect(try await visitor.result(of: answer).text.contains("swift build -c release --product Photos"))
    }
  }

  @Test func aRunIsKeptWithItsFiguresAndCompared() async throws {
    // Its arguments, its own folder for temporary files, and no recording, whatever the studio's environment says.
    let programs = try Programs(
      "MultiThread",
      """
      echo "$@ ${COREDATA_INSTRUMENTS-none}" > "$(dirname "$0")/arguments"
      touch "$TMPDIR/left-behind"; echo "$TMPDIR" > "$(dirname "$0")/place"
      echo "[##] 100%  5 of 5" >&2
      echo '\(Self.report)'
      """)
    try await Visitor.visit(programs.settings) { visitor in
      for count in ["5", "7"] {
        let page = try await visitor.result(of: try await run(visitor, "saves", [("count", count)]))
        #expect(page.text.contains("1.50 s") && page.text.contains("longest read"), "\(page.text)")
      }
      let picker = try await visitor.get("/tests")
      let ids = picker.text.matches(of: /name="run" value="([^"]+)"/).map { String($0.1) }
      #expect(ids.count == 2)
      let own = try await visitor.get("/tests/runs/\(ids[0])")
      #expect(own.status == .ok && own.text.contains("<dd>7</dd>"))
      let chart = try await visitor.get("/tests/compare?run=\(ids[0])&run=\(ids[1])&by=time")
      #expect(chart.text.contains("saves 5") && chart.text.contains("saves 7") && chart.text.contains("<svg"))
      #expect(try await visitor.get("/tests/compare?run=\(ids[0])&by=beauty").status == .badRequest)
      #expect(try await visitor.get("/tests/compare").status == .badRequest)
      #expect(try await visitor.get("/tests/compare?run=..%2F..%2Fetc%2Fpasswd").status == .notFound)
      _ = try await visitor.post("/tests/runs/\(ids[0])/remove", [], token: visitor.token(of: own))
      #expect(try await visitor.get("/tests/runs/\(ids[0])").status == .notFound)
    }
    func text(_ name: String) throws -> String {
      try String(contentsOf: programs.folder.appendingPathComponent(name), encoding: .utf8).trimmingCharacters(
        in: .newlines)
    }
    #expect(try text("arguments") == "--count=7 --json none")
    #expect(!FileManager.default.fileExists(atPath: try text("place")))
  }

  @Test func sizesOutOfRangeAreRefusedWithWhatWasExpected() async throws {
    let programs = try Programs("MultiThread", "echo '\(Self.report)'")
    try await Visitor.visit(programs.settings) { visitor in
      for count in ["0", "-1", "200001", "many", "5 --store=/tmp/x"] {
        let answer = try await run(visitor, "saves", [("count", count)])
        #expect(answer.status == .badRequest && answer.text.contains("a number from 1 to 200000"), "\(count)")
      }
      #expect(try await run(visitor, "photos", [("design", "../x")]).status == .badRequest)
      #expect(try await run(visitor, "sightings", [("search", "--make-seed=/tmp/x")]).status == .badRequest)
      #expect(try await run(visitor, "other", []).status == .notFound)
      #expect(try await visitor.post("/tests/saves/run", [], token: nil).status == .forbidden)
    }
  }

  @Test func stoppingEndsTheProgramAndWhatItStarted() async throws {
    // A process of the program's own, which does not end when asked to.
    let programs = try Programs(
      "MultiThread",
      "trap '' TERM; sh -c 'trap \"\" TERM; echo $$ > \"$(dirname \"$0\")/child\"; sleep 60; sleep 60' \"$0\" & wait; wait"
    )
    try await Visitor.visit(programs.settings) { visitor in
      let answer = try await run(visitor, "saves", [])
      let job = try #require(answer.headers[.location])
      let file = programs.folder.appendingPathComponent("child")
      var child: pid_t?
      while child == nil {
        try await Task.sleep(for: .milliseconds(20))
        child = (try? String(contentsOf: file, encoding: .utf8)).flatMap { pid_t($0.trimmingCharacters(in: .newlines)) }
      }
      // One at a time.
      #expect(try await run(visitor, "saves", []).status == .conflict)
      _ = try await visitor.post("\(job)/stop", [], token: visitor.token(of: visitor.get(job)))
      #expect(try await visitor.result(of: answer).text.contains("It was stopped"))
      let pid = try #require(child)
      while kill(pid, 0) == 0 {
        // One that has ended and that nobody waited for is as good as gone.
        let status = (try? String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8)) ?? ""
        if status.contains(") Z ") { break }
        try await Task.sleep(for: .milliseconds(20))
      }
      #expect(try await visitor.get("/tests").text.contains("None was kept yet"))
    }
  }

  @Test func aProgramThatFailsSaysWhy() async throws {
    let programs = try Programs("MultiThread", "echo 'The disk <is> full.' >&2; exit 3")
    try await Visitor.visit(programs.settings) { visitor in
      let page = try await visitor.result(of: try await run(visitor, "saves", []))
      #expect(page.text.contains("It ended with the code 3.") && page.text.contains("The disk &lt;is&gt; full."))
    }
    let other = try Programs("MultiThread", "echo '{}'")
    try await Visitor.visit(other.settings) { visitor in
      let page = try await visitor.result(of: try await run(visitor, "saves", []))
      #expect(page.text.contains("report cannot be read"))
    }
  }

  /// Each arrangement is a measure, and each time a series, so that one chart has all of them side by side.
  @Test func contextsAreComparedByTheirStalls() async throws {
    func run(_ arrangement: String, _ stall: Double) -> String {
      #"{"arrangement":"\#(arrangement)","stalls":{"longest":\#(stall),"percentile99":0.125,"answers":9},"written":1.5,"#
        + #""listed":2.5,"memory":50,"statements":1234,"faults":20,"misses":5,"changes":77,"edits":3}"#
    }
    let report =
      #"{"count":5,"runs":[\#(run("merging", 0.25)),\#(run("child", 0.75))],"#
      + #""saves":[{"part":100,"saves":10,"stalls":{"longest":0.5,"percentile99":0.5,"answers":3}}],"levels":[],"#
      + #""waiting":[{"title":"performAndWait","stalls":{"longest":3,"percentile99":3,"answers":1}}]}"#
    let programs = try Programs(
      "ConcurrencyModels", "echo \"$@\" > \"$(dirname \"$0\")/arguments\"; echo '\(report)'")
    try await Visitor.visit(programs.settings) { visitor in
      let fields = [("arrangement", "child"), ("arrangement", "merging"), ("only", "arrangements"), ("pause", "0")]
      let page = try await visitor.result(of: try await self.run(visitor, "contexts", fields))
      for text in [
        "longest stall of the main queue", "two, merging", "parent and child", "750 ms", "1,234", "77 changes told",
      ] {
        #expect(page.text.contains(text), "\(text)")
      }
      #expect(page.text.contains("slow list, saves of 100") && page.text.contains("performAndWait"))
      #expect(try await self.run(visitor, "contexts", [("arrangement", "flat")]).status == .badRequest)
    }
    let arguments = try String(contentsOf: programs.folder.appendingPathComponent("arguments"), encoding: .utf8)
    #expect(
      arguments.hasPrefix(
        "--only=arrangements --arrangement=merging --arrangement=child --count=20000 --part=1000 --pause=0 --json"))
  }

  @Test func damagedFilesOfRunsAreNamedAndSkipped() async throws {
    let programs = try Programs("MultiThread", "echo '\(Self.report)'")
    try FileManager.default.createDirectory(at: programs.runs, withIntermediateDirectories: true)
    try Data("{\"version\":1,".utf8).write(to: programs.runs.appendingPathComponent("20200101-000000-aaaa.json"))
    try await Visitor.visit(programs.settings) { visitor in
      _ = try await visitor.result(of: try await run(visitor, "saves", []))
      let page = try await visitor.get("/tests")
      #expect(page.text.contains("20200101-000000-aaaa.json") && page.text.contains("is damaged"))
      #expect(page.text.matches(of: /name="run" value=/).count == 1)
      #expect(try await visitor.get("/tests/runs/20200101-000000-aaaa").status == .unprocessableContent)
      _ = try await visitor.post("/tests/runs/20200101-000000-aaaa/remove", [], token: visitor.token(of: page))
      #expect(try await !visitor.get("/tests").text.contains("is damaged"))
    }
  }
}
