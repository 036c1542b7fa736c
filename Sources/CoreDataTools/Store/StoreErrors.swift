import CommandSupport
import Foundation
import OpenCoreData

/// The failures of stores in words.
package enum StoreErrors {
  /// Returns the error for a model that has other versions of a store's entities.
  /// - Parameter name: The path of the model.
  package static func otherModel(
    _ name: String, _ model: NSManagedObjectModel, of store: URL, _ stored: [String: Data]
  ) -> ToolError {
    let hashes = model.entityVersionHashesByName
    let parts = [
      ("these entities differ", stored.keys.filter { hashes[$0] != nil && hashes[$0] != stored[$0] }),
      ("the store alone has", stored.keys.filter { hashes[$0] == nil }),
      ("the model alone has", hashes.keys.filter { stored[$0] == nil }),
    ]
    let texts = parts.filter { !$0.1.isEmpty }.map { "\($0.0): \($0.1.sorted().joined(separator: ", "))" }
    return ToolError(
      "The model \(name) is not that of the store \(store.shown); \(texts.joined(separator: "; ")).")
  }

  /// Returns the text of an error, with the reason if the text does not contain it.
  package static func text(of error: any Error) -> String {
    let error = error as NSError
    let reason = error.localizedFailureReason.map { error.localizedDescription.contains($0) ? "" : " \($0)" } ?? ""
    return error.localizedDescription + reason
  }
}
