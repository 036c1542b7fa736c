import CoreDataTools
import Foundation
import Hummingbird

/// The choices for a migration that are in the page's address.
struct MigrateView: Sendable {
  /// The version to migrate to; nil as long as none was chosen.
  var destination: ModelReference?
  /// The version of the store, needed if neither the store nor the destination's versions contain it.
  var source: ModelReference?
  /// Whether mapping models in the folder of the models are used.
  var followsMappings = true

  /// - Throws: a `StudioError` for a text that names no model.
  init(to: String?, source: String?, mappings: String?) throws {
    destination = try to.flatMap { $0.isEmpty ? nil : try ComparePages.reference($0) }
    self.source = try source.flatMap { $0.isEmpty ? nil : try ComparePages.reference($0) }
    followsMappings = mappings != "no"
  }

  /// Returns the address of a page about this migration.
  func link(_ store: String, _ page: String = "") -> String {
    Link.query(
      Link.store(store) + "/migrate" + page,
      [
        ("to", destination?.text), ("source", source?.text), ("mappings", followsMappings ? nil : "no"),
      ])
  }
}
