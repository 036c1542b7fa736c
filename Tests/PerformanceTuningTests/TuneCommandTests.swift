import Foundation
import Testing
import ToolProcess

/// `coredata tune` as a user sees it.
@Suite struct TuneCommandTests {
  private func tune(_ arguments: String...) throws -> Tool {
    try Tool(["tune", "--people", "6", "--selfies", "5", "--networks", "4"] + arguments)
  }

  private func fetch(store path: String) throws -> Tool {
    try tune("--json", "--test", "FetchAll", "--store", path)
  }

  @Test func jsonHasLoadAndTests() throws {
    let tool = try tune("--json")
    #expect(tool.status == 0, "\(tool.errors)")
    let json = try tool.json()
    #expect(Set(json.keys) == ["load", "tests"])
    let load = try #require(json["load"] as? [String: Any])
    #expect(load["people"] as? Int == 6)
    #expect(load["joinRows"] as? Int == 50)
    #expect(load["loaded"] as? Bool == true)
    let tests = try #require(json["tests"] as? [[String: Any]])
    #expect(tests.count == 10)
    for test in tests {
      #expect(
        Set(test.keys) == [
          "name", "start", "stop", "elapsed", "statements", "rows", "faults", "cacheHits", "memory", "result",
        ])
      let memory = try #require(test["memory"] as? [String: Int])
      #expect(Set(memory.keys) == ["objects", "faults", "rowCacheBytes", "peakResidentBytes"])
      #expect(memory["rowCacheBytes"] ?? 0 > 0 && memory["peakResidentBytes"] ?? 0 > 1 << 20)
      #expect(memory["faults"] ?? 0 <= memory["objects"] ?? 0)
      #expect((test["result"] as? String)?.hasPrefix("Failed") == false, "\(test)")
    }
  }

  @Test func textHasATableAndProgressGoesToStandardError() throws {
    let tool = try tune()
    #expect(tool.status == 0)
    #expect(tool.output.contains("Test         Elapsed  SELECTs"))
    #expect(tool.output.contains("SingleFault"))
    #expect(tool.output.contains("Memory, at most  Live objects  Faults"))
    #expect(tool.errors.contains("Loading selfies: 5 of 5"))
    #expect(!tool.output.contains("Loading"))
  }

  @Test func aNamedStoreIsLoadedOnce() throws {
    let folder = try TemporaryFolder.make()
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = folder.appending(path: "new/tune.sqlite").path
    let first = try #require(try fetch(store: path).json()["load"] as? [String: Any])
    #expect(first["loaded"] as? Bool == true)
    let second = try fetch(store: path)
    let load = try #require(try second.json()["load"] as? [String: Any])
    #expect(load["loaded"] as? Bool == false)
    #expect(!second.errors.contains("Loading"))
  }

  @Test func aStoreOfAnotherSizeIsRefused() throws {
    let folder = try TemporaryFolder.make()
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = folder.appending(path: "tune.sqlite").path
    _ = try fetch(store: path)
    let tool = try Tool("tune", "--store", path, "--people", "7", "--selfies", "5", "--networks", "4")
    #expect(tool.status == 1)
    #expect(tool.errors.contains("holds 6 people, 5 selfies and 4 social networks, not 7, 5 and 4"))
  }

  @Test func aFileThatIsNoStoreIsRefused() throws {
    let folder = try TemporaryFolder.make()
    defer { try? FileManager.default.removeItem(at: folder) }
    let url = folder.appending(path: "notes.txt")
    try Data(String(repeating: "no database ", count: 200).utf8).write(to: url)
    let tool = try fetch(store: url.path)
    #expect(tool.status == 1)
    #expect(tool.errors.contains("Cannot open the store \(url.path)"))
    #expect(tool.output.isEmpty)
    #expect(try Data(contentsOf: url).count == 2_400)
  }

  @Test func wrongArgumentsAreExplained() throws {
    let unknown = try Tool("tune", "--test", "Nothing")
    #expect(unknown.status == 64)
    #expect(unknown.errors.contains("There is no test named 'Nothing'. The tests are: FetchAll, DidFault,"))
    let none = try Tool("tune", "--people", "0")
    #expect(none.status == 64)
    #expect(none.errors.contains("--people must be 1 or more, not 0."))
    let batch = try Tool("tune", "--fault-batch", "0")
    #expect(batch.status == 64 && batch.errors.contains("--fault-batch must be 1 or more, not 0."))
  }
}
