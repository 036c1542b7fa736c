import Foundation
import Testing
import ToolProcess

/// `coredata instruments --html`: the page, and what a browser makes of it.
@Suite(.serialized) struct PageTests {
  private struct Page {
    let recorded: Recorded
    let url: URL
    let text: String
    let report: [String: Any]

    init(_ recorded: Recorded) throws {
      self.recorded = recorded
      url = recorded.folder.appending(path: "page.html")
      let tool = try recorded.instruments("--html", url.path)
      #expect(tool.output == "\(url.path)\n")
      text = try String(contentsOf: url, encoding: .utf8)
      report = try recorded.instruments("--format", "json", "--statements", "--limit", "0").json()
    }
  }

  private static func page() throws -> Page {
    try Page(Recorded.tune(["SingleFault", "FetchAll", "Prefetch", "BatchUpdate"], "--fault-batch", "1"))
  }

  /// What the page says, by name.
  private static func figures(_ text: String) -> [String: Double] {
    var figures: [String: Double] = [:]
    for match in text.matches(of: /data-figure="([^"]+)" data-value="([^"]+)"/) {
      figures[String(match.output.1)] = Double(match.output.2)
    }
    return figures
  }

  private func check(_ text: String, against report: [String: Any]) throws {
    let figures = Self.figures(text)
    let summary = try #require(report["summary"] as? [String: Any])
    let groups = try #require(summary["groups"] as? [[String: Any]])
    #expect(groups.count >= 5)
    for group in groups {
      let name = try #require(group["name"] as? String)
      let measure = try #require(group["measure"] as? [String: Any])
      #expect(figures["\(name).count"] == (measure["count"] as? NSNumber)?.doubleValue, "\(name)")
      #expect(figures["\(name).rows"] == (measure["rows"] as? NSNumber)?.doubleValue, "\(name)")
      let total = try #require((measure["total"] as? NSNumber)?.doubleValue)
      #expect(abs((figures["\(name).total"] ?? -1) - total) < 1e-9, "\(name)")
    }
    let statements = try #require(summary["statements"] as? [String: Any])
    #expect(figures["statements"] == (statements["count"] as? NSNumber)?.doubleValue)
    #expect(figures["statements.count"] == (statements["count"] as? NSNumber)?.doubleValue)
    let counters = try #require(summary["counters"] as? [String: Any])
    #expect(figures["faultsFired"] == (counters["faultsFired"] as? NSNumber)?.doubleValue)
    let memory = try #require(summary["memory"] as? [String: Any])
    #expect(figures["peakResidentBytes"] == (memory["peakResidentBytes"] as? NSNumber)?.doubleValue)
    let findings = try #require(report["findings"] as? [[String: Any]])
    #expect(!findings.isEmpty)
    #expect(text.matches(of: /<article class="finding/).count == findings.count)
    for finding in findings {
      let (kind, count) = (finding["kind"] as? String ?? "", finding["count"] as? Int ?? 0)
      #expect(text.contains("data-kind=\"\(kind)\" data-count=\"\(count)\""))
    }
    // Each lane of the timeline has all of its group.
    for group in groups {
      let count = (group["measure"] as? [String: Any])?["count"] as? Int ?? 0
      #expect(text.contains("data-group=\"\(group["name"] ?? "")\" data-count=\"\(count)\""))
    }
  }

  @Test func thePageHasTheFiguresOfTheRecordingAndNeedsNothingElse() throws {
    let page = try Self.page()
    try check(page.text, against: page.report)
    #expect(!page.text.contains("http:") && !page.text.contains("https:") && !page.text.contains("src="))
    #expect(!page.text.contains("{{"), "a part of the template was not filled in")
    // What is shown without a script is all of it.
    #expect(page.text.contains("SingleFaultTest.read(in:)"))
    #expect(page.text.contains("relationshipKeyPathsForPrefetching = [&quot;people&quot;]"))
    let json = try #require(page.text.firstMatch(of: /<script type="application\/json" id="recording">(.*?)<\/script>/))
    let embedded = try JSONSerialization.jsonObject(with: Data(json.output.1.utf8)) as? [String: Any]
    let lanes = try #require((embedded?["timeline"] as? [String: Any])?["lanes"] as? [[String: Any]])
    let groups = try #require((page.report["summary"] as? [String: Any])?["groups"] as? [[String: Any]])
    for (lane, group) in zip(lanes, groups) {
      #expect(lane["group"] as? String == group["name"] as? String)
      let total = (group["measure"] as? [String: Any])?["total"] as? Double ?? -1
      let spent = (lane["seconds"] as? [Double])?.reduce(0, +) ?? 0
      #expect(abs(total - spent) < total * 0.001 + 1e-6)
    }
  }

  @Test(.enabled(if: Browser.program != nil, Browser.isMissing))
  func chromiumShowsTheFiguresOfTheRecording() throws {
    let page = try Self.page()
    let document = try Browser.document(page.url)
    // The script has run to its end.
    #expect(document.contains("data-ready=\"yes\""))
    try check(document, against: page.report)
  }

  @Test(.enabled(if: Browser.program != nil, Browser.isMissing))
  func chromiumShowsItInBothColourSchemes() throws {
    let page = try Self.page()
    let keep = ProcessInfo.processInfo.environment["COREDATA_SCREENSHOTS"].map { URL(fileURLWithPath: $0) }
    for scheme in Browser.Scheme.allCases {
      let picture = (keep ?? page.recorded.folder).appending(path: "instruments-\(scheme.rawValue).png")
      try Browser.screenshot(page.url, scheme, to: picture)
      let taken = try Picture(picture)
      #expect(taken.width == 1240 && taken.height == 2400)
      #expect(taken.corner == (scheme == .dark ? [0x16, 0x18, 0x1b] : [0xfb, 0xfb, 0xfa]), "\(scheme)")
    }
  }

  @Test func aPageThatCannotBeWrittenIsSaid() throws {
    let recorded = try Recorded.tune(["FetchAll"])
    let tool = try Tool("instruments", recorded.recording.path, "--html", "/nowhere/at/all.html")
    #expect(
      tool.status == 1 && tool.errors.contains("The page cannot be written to /nowhere/at/all.html"), "\(tool.errors)")
    let both = try Tool("instruments", recorded.recording.path, "--html", "x", "--format", "json")
    #expect(both.status == 64 && both.errors.contains("--html and --format json exclude each other."))
  }
}
