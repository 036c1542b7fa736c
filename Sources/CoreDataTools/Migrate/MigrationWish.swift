import Foundation

/// The version to which a store is migrated, and the options.
public struct MigrationWish: Sendable, Equatable {
  /// The model to migrate to: .xcdatamodeld, .xcdatamodel, .momd, .mom, or a store of it.
  public var model: URL
  /// The version of a .xcdatamodeld or .momd to migrate to, by its name; nil for its current one.
  public var version: String?
  /// The store's model, or a folder of versions that contains it, if neither the store nor `model` has it.
  public var source: URL?
  /// Mapping models to follow, .xcmappingmodel or .cdm.
  public var mappings: [URL]
  /// Whether mapping models beside the model are used, too.
  public var findsMappings: Bool

  /// Creates a wish to migrate to a model.
  public init(
    model: URL, version: String? = nil, source: URL? = nil, mappings: [URL] = [], findsMappings: Bool = true
  ) {
    (self.model, self.version, self.source) = (model, version, source)
    (self.mappings, self.findsMappings) = (mappings, findsMappings)
  }
}
