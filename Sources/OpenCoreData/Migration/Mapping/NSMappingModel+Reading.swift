import Foundation
import OpenCocoaFoundation

extension NSMappingModel {
  /// Reads a compiled mapping model (`.cdm`) or, differently from Apple, Xcode's (`.xcmappingmodel`). The models of the
  /// latter are searched by the paths that it names: beside it, or in a folder above (D-MIG-03).
  ///
  /// Nil if there is no readable mapping model; use ``init(validatingContentsOf:forSourceModel:destinationModel:)`` to
  /// learn why.
  public convenience init?(contentsOf url: URL?) {
    guard let url else { return nil }
    try? self.init(validatingContentsOf: url)
  }

  /// Reads a mapping model as `init(contentsOf:)` does, for two models, and tells what is wrong with it.
  ///
  /// - Parameters:
  ///   - url: The `.cdm` file or the `.xcmappingmodel` folder.
  ///   - sourceModel: The model to migrate from; nil for the model that the mapping model names.
  ///   - destinationModel: The model to migrate to; nil for the model that the mapping model names.
  /// - Throws: an error of NSCocoaErrorDomain whose text names the entity mapping and the property: 260 if the file, or
  ///   a model that it names, is not there, 259 if it is no mapping model, 134020 if it contradicts itself or names what
  ///   the models do not have, 134140 if it is a compiled one for other versions than these.
  public convenience init(
    validatingContentsOf url: URL, forSourceModel sourceModel: NSManagedObjectModel? = nil,
    destinationModel: NSManagedObjectModel? = nil
  ) throws {
    self.init()
    entityMappings = try MappingFile.entityMappings(url, from: sourceModel, to: destinationModel)
  }

  /// Reads a mapping model that may be for other versions than these.
  /// - Returns: nil if the mapping model is for other versions.
  /// - Throws: as `init(validatingContentsOf:forSourceModel:destinationModel:)`, except 134140.
  package convenience init?(
    fittingContentsOf url: URL, forSourceModel source: NSManagedObjectModel, destinationModel: NSManagedObjectModel
  ) throws {
    let mappings: [NSEntityMapping]?
    switch try MappingFile.read(url) {
    case .compiled(let compiled):
      mappings = MappingFit.problem(compiled, source, destinationModel) == nil ? compiled : nil
    case .source(let mapping): mappings = MappingFit.mappings(mapping, at: url, source, destinationModel)
    }
    guard let mappings else { return nil }
    self.init()
    entityMappings = mappings
  }

  /// Finds the mapping model from one model to another in bundles, or for nil in the main bundle and the places that
  /// `NSPersistentContainer(name:)` looks in. Opening a store that is to be migrated does this before it infers a
  /// mapping.
  ///
  /// A mapping model fits if its entity mappings have the version hashes that their entities have in the two models,
  /// and if it takes the objects of every entity that the destination still has. If several fit, the one with the most
  /// entity mappings is used, and a compiled one before Xcode's. Nil if there is none.
  ///
  /// ```swift
  /// let model = container.managedObjectModel
  /// print(NSMappingModel(from: nil, forSourceModel: model, destinationModel: model) == nil)  // true
  /// ```
  ///
  /// Differs from Apple (D-MIG-04): a mapping model that leaves out an entity of both models does not fit, because the
  /// objects of this entity would be lost.
  /// - Parameters:
  ///   - bundles: where to look; nil for the program's own.
  ///   - sourceModel: the version of the store; nil gives nil.
  ///   - destinationModel: the version to migrate to; nil gives nil.
  public convenience init?(
    from bundles: [Bundle]?, forSourceModel sourceModel: NSManagedObjectModel?,
    destinationModel: NSManagedObjectModel?
  ) {
    guard let sourceModel, let destinationModel,
      let candidates = try? BundleMappings.candidates(in: bundles),
      let found = try? BundleMappings.find(among: candidates, from: sourceModel, to: destinationModel)
    else { return nil }
    self.init()
    entityMappings = found
  }

  /// Finds the mapping model as `init(from:forSourceModel:destinationModel:)` does, for migrations.
  /// - Throws: 256 if a file or a folder cannot be read: it may hold a mapping model whose policy does something that
  ///   an inferred mapping would not do.
  convenience init?(forMigrationFrom source: NSManagedObjectModel, to destination: NSManagedObjectModel) throws {
    try self.init(among: Self.candidatesInBundles, from: source, to: destination)
  }

  /// Finds the mapping model as `init(forMigrationFrom:to:)` does, among files that are asked for many pairs of models.
  convenience init?(
    among candidates: [MappingCandidate], from source: NSManagedObjectModel, to destination: NSManagedObjectModel
  ) throws {
    guard let found = try BundleMappings.find(among: candidates, from: source, to: destination) else { return nil }
    self.init()
    entityMappings = found
  }

  /// The files that `init(forMigrationFrom:to:)` looks into.
  /// - Throws: 256 if a folder cannot be read.
  static var candidatesInBundles: [MappingCandidate] { get throws { try BundleMappings.candidates(in: nil) } }

  /// Writes the mapping model as a compiled one, a `.cdm` file.
  ///
  /// - Throws: an error of NSCocoaErrorDomain: 134020 for an expression that cannot be archived, or the error of
  ///   writing.
  package final func write(compiledMappingTo url: URL) throws {
    let data: Data
    do {
      data = try MappingEncoder.encode(self)
    } catch let problem as ArchiveProblem {
      throw ModelProblem.inconsistent(problem.reason).error(file: url, of: "mapping model")
    }
    try data.write(to: url, options: .atomic)
  }
}

/// The mapping models that bundles hold.
private enum BundleMappings {
  /// The extensions in the order of preference, for a folder that has one mapping model in several forms.
  private static let extensions = ["cdm", "xcmappingmodel"]

  static func find(
    among candidates: [MappingCandidate], from source: NSManagedObjectModel, to destination: NSManagedObjectModel
  ) throws -> [NSEntityMapping]? {
    var best: [NSEntityMapping]?
    for candidate in candidates {
      let url = candidate.url, contents: MappingFile.Contents
      do {
        guard try candidate.mayFit(source, destination) else { continue }
        contents = try MappingFile.read(url)
      } catch let error as NSError {
        if error.code == CocoaError.Code.fileReadUnknown.rawValue { throw error }
        continue
      }
      let mappings: [NSEntityMapping]?
      switch contents {
      case .compiled(let compiled):
        mappings = MappingFit.problem(compiled, source, destination) == nil ? compiled : nil
      case .source(let mapping): mappings = MappingFit.mappings(mapping, at: url, source, destination)
      }
      if let mappings, mappings.count > best?.count ?? 0 { best = mappings }
    }
    return best
  }

  static func candidates(in bundles: [Bundle]?) throws -> [MappingCandidate] {
    try urls(in: bundles).map { MappingCandidate($0) }
  }

  private static func urls(in bundles: [Bundle]?) throws -> [URL] {
    var folders = bundles.map(BundleModels.folders) ?? []
    // The main bundle stands for those of the program's targets, whose resources need not lie beside the program.
    if bundles?.contains(.main) ?? true {
      folders += ModelLocator.folders() + RegisteredModels.urls.map { $0.deletingLastPathComponent() }
    }
    var seen: Set<String> = []
    let files = try folders.filter { seen.insert($0.standardizedFileURL.path).inserted }.flatMap { folder -> [URL] in
      do {
        return try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
      } catch CocoaError.fileReadNoSuchFile, CocoaError.fileReadNoPermission {
        return []
      }
    }
    return extensions.flatMap { suffix in
      files.filter { $0.pathExtension == suffix }.sorted { $0.path < $1.path }
    }
  }
}
