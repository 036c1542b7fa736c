import Foundation
import OpenCoreData
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

  /// Into a new store, where keys are handed out anew: a second round keeps even those.
  @Test(arguments: StoreCorpus.stores.filter { !$0.contains("RKSeedDatabase") })
  func isImportedEqual(_ name: String) throws {
    let files = try StoreFiles(withStore: false)
    var store = try #require(StoreCorpus.root).appending(path: name).path
    var documents: [String] = []
    for round in 0..<3 {
      let document = files.path("\(round).json"), next = files.path("\(round).sqlite")
      #expect(try Tool("store", "export", store, "--output", document).status == 0)
      documents.append(try String(contentsOfFile: document, encoding: .utf8))
      guard round < 2 else { break }
      let tool = try Tool("store", "import", next, document, "--model", store)
      #expect(tool.status == 0, "\(tool.errors.prefix(1000))")
      #expect(try Tool("store", "verify", next).output == "\(next): ok\n")
      store = next
    }
    #expect(documents[1] == documents[2])
    let model = try #require(try StoredModel(contentsOf: URL(fileURLWithPath: store)).model)
    #expect(try Self.renumbered(documents[0], model) == Self.renumbered(documents[1], model))
  }

  /// The document with its objects numbered in order, whatever their keys were; members of
  /// relationships without order sorted, since their order is that of the keys.
  private static func renumbered(_ document: String, _ model: NSManagedObjectModel) throws -> NSDictionary {
    let entities = try JSONSerialization.jsonObject(with: Data(document.utf8)) as? [String: [[String: Any]]] ?? [:]
    var numbers: [String: String] = [:]
    for (name, objects) in entities {
      for (number, object) in objects.enumerated() { numbers[object["@id"] as? String ?? ""] = "\(name) \(number)" }
    }
    return try NSDictionary(
      dictionary: Dictionary(
        uniqueKeysWithValues: entities.map { name, objects in
          let relationships = model.entitiesByName[name]?.relationshipsByName ?? [:]
          return (
            name,
            try objects.map { object in
              let links = try #require(object["relationships"] as? [String: Any])
              return [
                "attributes": object["attributes"] ?? "",
                "relationships": Dictionary(
                  uniqueKeysWithValues: links.map { key, link -> (String, Any) in
                    guard let members = link as? [String] else {
                      return (key, (link as? String).map { numbers[$0] ?? "none" } ?? link)
                    }
                    let named = members.map { numbers[$0] ?? "none" }
                    return (key, relationships[key]?.isOrdered == true ? named : named.sorted())
                  }),
              ]
            }
          )
        }))
  }

  private func contents(of folder: URL) throws -> [String: Data] {
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    return Dictionary(
      names.map { ($0, FileManager.default.contents(atPath: folder.appending(path: $0).path) ?? Data()) },
      uniquingKeysWith: { $1 })
  }
}
