import Foundation

/// A mapping model's file that may be for any of many pairs of versions.
///
/// The file, and the models that Xcode's names, are read once, when it is first asked. Most pairs are ruled out by hashes
/// then; where the file fits, it is read again, so that each mapping model has mappings of its own.
package final class MappingCandidate {
  package let url: URL
  private var hashes: Result<Hashes, any Error>?

  package init(_ url: URL) { self.url = url }

  /// What a file says of the versions that it is for.
  private enum Hashes {
    /// For each entity mapping the names and hashes of its entities.
    case compiled(source: [Entity], destination: [Entity])
    /// The hashes of the models that the file names; nil for one that is not found, which may be any.
    case models(source: [String: Data]?, destination: [String: Data]?)
  }

  private struct Entity: Hashable {
    let name: String
    let hash: Data?
  }

  /// Whether the file may lead from one model to another; if not, `NSMappingModel(fittingContentsOf:...)` gives nil.
  /// - Throws: the error of reading the file, each time.
  package func mayFit(_ source: NSManagedObjectModel, _ destination: NSManagedObjectModel) throws -> Bool {
    let known = hashes ?? Result { try read() }
    hashes = known
    let (before, after) = (source.entityVersionHashesByName, destination.entityVersionHashesByName)
    switch try known.get() {
    case .compiled(let old, let new):
      return old.allSatisfy { $0.hash != nil && before[$0.name] == $0.hash }
        && new.allSatisfy { $0.hash != nil && after[$0.name] == $0.hash }
    case .models(let old, let new): return old ?? before == before && new ?? after == after
    }
  }

  private func read() throws -> Hashes {
    switch try MappingFile.read(url) {
    case .compiled(let mappings):
      func entities(_ names: [(String?, Data?)]) -> [Entity] {
        Set(names.compactMap { name, hash in name.map { Entity(name: $0, hash: hash) } }).map { $0 }
      }
      return .compiled(
        source: entities(mappings.map { ($0.sourceEntityName, $0.sourceEntityVersionHash) }),
        destination: entities(mappings.map { ($0.destinationEntityName, $0.destinationEntityVersionHash) }))
    case .source(let mapping):
      let models = [mapping.sourceModelPath, mapping.destinationModelPath].map { path in
        SourceMapping.model(at: path, near: url)?.entityVersionHashesByName
      }
      return .models(source: models[0], destination: models[1])
    }
  }
}
