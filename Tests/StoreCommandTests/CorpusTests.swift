import Foundation
import Testing
import ToolProcess

/// Where the stores of the corpus are.
enum StoreCorpus {
  /// Beside the package, or beside the folder of worktrees.
  static let root: URL? = {
    let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    return ["../shared", "../../shared"].map { package.appending(path: "\($0)/corpus/stores").standardizedFileURL }
      .first { FileManager.default.fileExists(atPath: $0.path) }
  }()

  static let stores: [String] = {
    guard let root else { return [] }
    let names = FileManager.default.enumerator(atPath: root.path)?.compactMap { $0 as? String } ?? []
    return names.filter { $0.hasSuffix(".sqlite") }.sorted()
  }()
}

/// Stores that Apple's framework wrote, with no model at hand.
@Suite(.enabled(if: !StoreCorpus.stores.isEmpty, "the corpus is not there")) struct CorpusTests {
  /// What is known of a store: all others are clean.
  static let expected: [String: [String]] = [
    // A migration renamed the entity.
    "coredataplus/Tests/Resources/SampleModel/Fixtures/SampleModel_V2.sqlite": ["entityName warning"]
  ]

  @Test(arguments: StoreCorpus.stores) func isVerifiedExportedAndLeftAlone(_ name: String) throws {
    let store = try #require(StoreCorpus.root).appending(path: name)
    let before = try contents(of: store.deletingLastPathComponent())
    let info = try Tool("store", "info", store.path, "--format", "json").json()
    if name.contains("RKSeedDatabase") {
      // Older than copies of models, and its model is in a form that nothing reads.
      let tool = try Tool("store", "verify", store.path)
      #expect(tool.status == 1 && tool.errors.contains("--model"))
      return
    }
    let verified = try Tool("store", "verify", store.path, "--format", "json")
    let problems = (try verified.json()["problems"] as? [[String: Any]] ?? []).map {
      "\($0["kind"] as? String ?? "") \($0["severity"] as? String ?? "")"
    }
    #expect(problems == Self.expected[name] ?? [], "\(verified.output)")
    #expect(verified.status == 0)

    let document = try Tool("store", "export", store.path).json()
    let entities = info["entities"] as? [[String: Any]] ?? []
    for entity in entities where entity["isAbstract"] as? Bool == false {
      guard let list = document[entity["name"] as? String ?? ""] as? [Any] else { continue }
      #expect(list.count == entity["rows"] as? Int)
    }
    #expect(try contents(of: store.deletingLastPathComponent()) == before)
  }

  private func contents(of folder: URL) throws -> [String: Data] {
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    return Dictionary(
      names.map { ($0, FileManager.default.contents(atPath: folder.appending(path: $0).path) ?? Data()) },
      uniquingKeysWith: { $1 })
  }
}
