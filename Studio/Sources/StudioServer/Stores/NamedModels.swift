import CoreData
import CoreDataTools
import Foundation

/// The models that were named at the start, for stores that keep no copy of their own.
struct NamedModels: Sendable {
  let files: [URL]

  /// The model to open a store by; nil where the store keeps one.
  /// - Throws: a `ToolError` if it keeps none, and none of the named ones is its.
  func model(of store: URL) throws -> NSManagedObjectModel? {
    // A file that cannot be read has a page of its own that says why.
    try StoreModelSearch.model(of: store) {
      files.compactMap { try? ModelFile($0) }.flatMap { $0.versions.map(\.model) }
    }
  }
}
