import Foundation

/// What a message says where no model was found: which bundles have models.
enum KnownModels {
  /// Returns a sentence with the bundles that have models.
  static func text(of models: [URL]) -> String {
    if models.isEmpty {
      return "No bundle beside the program has a model: a target with a model needs the plugin CoreDataCodegen."
    }
    let folders = Dictionary(grouping: models) { $0.deletingLastPathComponent().standardizedFileURL.path }
    let places = folders.sorted { $0.key < $1.key }.map { folder, models in
      models.map(\.lastPathComponent).sorted().joined(separator: ", ") + " in " + folder
    }
    return "There are models here: \(places.joined(separator: "; ")). A target's own bundle is Bundle.module."
  }
}
