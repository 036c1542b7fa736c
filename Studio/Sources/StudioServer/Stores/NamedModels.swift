import CoreData
import CoreDataTools
import Foundation

/// The models that were named at the start, for stores that keep no copy of their own.
struct NamedModels: Sendable {
  let files: [URL]

  /// Returns the model to open a store with; nil if the store keeps a model.
  /// - Throws: a `ToolError` if the store keeps no model, and none of the named models is the store's.
  func model(of store: URL) throws -> NSManagedObjectModel? {
    // A file that cannot be read is left out; its own page shows the error.
    try StoreModelSearch.model(of: store) {
      files.compactMap { try? ModelFile($0) }.flatMap { $0.versions.map(\.model) }
    }
  }
}
