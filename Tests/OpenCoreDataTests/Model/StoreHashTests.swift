import Foundation
import Testing

@_spi(Store) @testable import OpenCoreData

/// Stores that Apple's framework wrote, and the models of the same repositories.
@Suite(.enabled(if: Corpus.isThere, "the corpus is not there")) struct StoreHashTests {
  /// The models below a folder, compiled or not, with their hashes.
  private func hashes(below folder: String) -> [[String: Data]] {
    let files = Corpus.files("/contents", below: folder).map { $0.deletingLastPathComponent() }
    return (files + Corpus.files(".mom", below: folder)).compactMap {
      NSManagedObjectModel(contentsOf: $0)?.entityVersionHashesByName
    }
  }

  /// Of each store all entities have the hashes of one model, or the repository's models are of other versions.
  @Test func storesHaveTheHashesOfTheirModels() throws {
    var models: [String: [[String: Data]]] = [:]
    var matched = 0
    var others: [String] = []
    for store in Corpus.files(".sqlite", below: "stores") {
      let parts = store.pathComponents
      let repository = parts[(parts.lastIndex(of: "stores") ?? 0) + 1]
      if models[repository] == nil { models[repository] = hashes(below: "stores/\(repository)") }
      guard let stored = Corpus.metadata(of: store)["NSStoreModelVersionHashes"] as? [String: Data],
        let known = models[repository], known.contains(where: { !Set($0.keys).isDisjoint(with: stored.keys) })
      else { continue }
      // A store for a configuration has some of the entities.
      if known.contains(where: { model in stored.allSatisfy { model[$0.key] == $0.value } }) {
        matched += 1
      } else {
        let differing = stored.keys.filter { name in !known.contains { $0[name] == stored[name] } }.sorted()
        others.append("\(parts.suffix(2).joined(separator: "/")): \(differing.joined(separator: ", "))")
      }
    }
    #expect(matched > 20)
    // This one was made of another model on purpose, to test that it is refused.
    #expect(others == ["UserData_DB_invalid/Data.sqlite: HistoryEntry, User"])
  }
}
