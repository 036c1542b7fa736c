import Foundation
import Testing
import ToolProcess

/// `coredata instruments` as a user sees it.
@Suite struct InstrumentsCommandTests {
  @Test func theSummaryHasWhatTheProgramCounted() throws {
    let recorded = try Recorded.tune(["SingleFault"], "--fault-batch", "1")
    let report = try recorded.instruments("--format", "json").json()
    #expect(Set(report.keys) == ["recording", "summary", "findings", "statementCount", "eventCount"])
    let file = try #require(report["recording"] as? [String: Any])
    #expect(file["end"] as? String == "the program ended" && file["path"] as? String == recorded.recording.path)
    #expect((file["program"] as? String)?.hasSuffix("coredata") == true)
    let summary = try #require(report["summary"] as? [String: Any])
    let counts = try Self.counts(summary)
    // Two for each selfie, and each object once; what is loaded is counted first.
    #expect(counts["relationshipFaults"] == 60 && counts["objectFaults"] == 110, "\(counts)")
    #expect(counts["saves"] == nil && counts["fetches"] == 1 && counts["counts"] == 3, "\(counts)")
    let test = try #require((try recorded.program.json()["tests"] as? [[String: Any]])?.first)
    let faults = try #require(test["faults"] as? Int)
    let counters = try #require(summary["counters"] as? [String: Any])
    #expect(counters["faultsFired"] as? Int ?? 0 >= faults)
    let memory = try #require(summary["memory"] as? [String: Any])
    #expect(memory["peakResidentBytes"] as? Int ?? 0 > 1 << 20)
  }

  private static func counts(_ summary: [String: Any]) throws -> [String: Int] {
    let groups = try #require(summary["groups"] as? [[String: Any]])
    return Dictionary(
      uniqueKeysWithValues: groups.map {
        ($0["name"] as? String ?? "", ($0["measure"] as? [String: Any])?["count"] as? Int ?? 0)
      })
  }

  @Test func textHasATableAndTheFindings() throws {
    let tool = try Recorded.tune(["SingleFault"], "--fault-batch", "1").instruments()
    let lines = tool.output.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
    #expect(lines.contains { $0.prefix(6) == ["Count", "Total", "Mean", "Worst", "Rows"] }, "\(tool.output)")
    #expect(lines.contains { $0.prefix(3) == ["Relationship", "faults", "60"] }, "\(tool.output)")
    #expect(tool.output.contains("\nWhat could be done better\n"))
    #expect(tool.output.contains("Selfie.people is read one by one\n   60 times, 60 rows, "), "\(tool.output)")
    #expect(tool.output.contains("; NamesRead.read(_:)\n   -> Prefetch it: "))
    #expect(tool.output.contains("faults fired, ") && tool.output.contains("from the row cache."))
    let calm = try Recorded.tune(["SingleFault"]).instruments()
    #expect(calm.output.hasSuffix("Nothing was found that could be done better.\n"), "\(calm.output)")
  }

  @Test func eventsAreInTheirOrder() throws {
    let recorded = try Recorded(
      "Photos", ["--count", "50", "--design", "single", "--indexes", "none", "--rounds", "1"])
    let report = try recorded.instruments("--events", "--limit", "0", "--format", "json").json()
    let events = try #require(report["events"] as? [[String: Any]])
    #expect(events.count == report["eventCount"] as? Int)
    let starts = events.compactMap { $0["start"] as? Double }
    #expect(starts == starts.sorted() && starts.count == events.count)
    let titles = events.compactMap { $0["title"] as? String }
    #expect(titles.contains("fetch of Photo by date"), "\(titles)")
    #expect(titles.contains("fetch of Photo by likes DESC, date DESC"), "\(titles)")
    #expect(titles.contains { $0.hasPrefix("save of 50 inserted") }, "\(titles)")
    #expect(events.contains { ($0["caller"] as? String)?.hasPrefix("PhotoList.") == true })
    let few = try recorded.instruments("--events", "--limit", "2")
    #expect(few.output.contains("\(events.count - 2) more; --limit 0 shows all."), "\(few.output)")
  }

  @Test func statementsAreTheMostExpensiveFirst() throws {
    let recorded = try Recorded.tune(["Subquery", "SingleFault"])
    let report = try recorded.instruments("--statements", "--limit", "0", "--format", "json").json()
    let statements = try #require(report["statements"] as? [[String: Any]])
    #expect(statements.count == report["statementCount"] as? Int)
    let totals = statements.compactMap { ($0["measure"] as? [String: Any])?["total"] as? Double }
    #expect(totals.count == statements.count && totals == totals.sorted(by: >))
    let counts = statements.compactMap { ($0["measure"] as? [String: Any])?["count"] as? Int }
    let all = ((report["summary"] as? [String: Any])?["statements"] as? [String: Any])?["count"] as? Int
    #expect(counts.reduce(0, +) == all)
    let text = try recorded.instruments("--statements", "--limit", "1").output
    #expect(text.contains("\(statements.count - 1) more; --limit 0 shows all."))
    // Which one that is, times decide.
    let first = try #require(statements.first?["text"] as? String).prefix { $0 != " " }
    #expect(text.contains(first), "\(text)")
  }

  @Test func theTreeGoesFromTheTestsToWhatTheyDo() throws {
    let recorded = try Recorded.tune(["SingleFault", "Prefetch"])
    let tree = try recorded.instruments("--tree").output
    let lines = tree.split(separator: "\n").map(String.init)
    let caller = try #require(lines.firstIndex { $0.hasSuffix(" SingleFaultTest.read(in:)") }, "\(tree)")
    let below = lines[(caller + 1)...].prefix(8)
    #expect(below.contains { $0.hasSuffix("[fault of Selfie.people]") }, "\(tree)")
    #expect(lines.contains { $0.hasSuffix("PrefetchTest.fetch(in:)") }, "\(tree)")
    #expect(lines.contains { $0.hasSuffix("PerformanceStack.loadedSize()") }, "\(tree)")
    let json = try recorded.instruments("--tree", "--format", "json").json()
    func names(_ nodes: Any?) -> [String] {
      ((nodes as? [[String: Any]]) ?? []).flatMap { [$0["name"] as? String ?? ""] + names($0["children"]) }
    }
    #expect(names(json["tree"]).contains("SingleFaultTest.read(in:)"))
  }

  @Test func aRecordingIsNotReplacedByReadingIt() throws {
    let folder = try Recorded.folder()
    defer { try? FileManager.default.removeItem(at: folder) }
    let recorded = try Recorded(
      "coredata",
      [
        "tune", "--people", "6", "--selfies", "5", "--networks", "4", "--test", "FetchAll", "--store",
        folder.appending(path: "kept.sqlite").path,
      ])
    let before = try Data(contentsOf: recorded.recording)
    // The store is still there, so that it is opened for its model.
    let tool = try Tool(
      ["instruments", recorded.recording.path], environment: ["COREDATA_INSTRUMENTS": recorded.recording.path])
    #expect(tool.status == 0 && tool.output.contains("Saves"), "\(tool.errors)")
    #expect(try Data(contentsOf: recorded.recording) == before)
  }

  @Test func whatIsNoRecordingIsRefused() throws {
    let none = try Tool("instruments", "/nowhere/recording")
    #expect(none.status == 1 && none.errors.contains("There is no recording at /nowhere/recording."), "\(none.errors)")
    let url = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).txt")
    defer { try? FileManager.default.removeItem(at: url) }
    try Data("no recording".utf8).write(to: url)
    let other = try Tool("instruments", url.path)
    #expect(other.status == 1 && other.errors.contains("is not a recording"), "\(other.errors)")
    let limit = try Tool("instruments", url.path, "--limit", "-1")
    #expect(limit.status == 64 && limit.errors.contains("--limit must be 0 or more."))
  }
}
