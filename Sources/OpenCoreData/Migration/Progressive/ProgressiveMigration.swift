import Foundation

/// The steps that lead a store through the versions of a model to one of them. Each step leads from one version to
/// another, and uses a mapping model or is inferred.
///
/// The plan has the fewest steps that skip no mapping model. An inferred step does not skip versions between which
/// there is a mapping model, because the mapping model says what inference cannot know. It may skip renamings: a
/// renaming identifier, or name, that is the same in all versions between is the same at both ends.
package struct ProgressiveMigration {
  /// How a step is done.
  package enum Means {
    case mapping(NSMappingModel)
    case inferred
  }

  /// A step from one version to another.
  package struct Step {
    package let source: NSManagedObjectModel
    package let destination: NSManagedObjectModel
    package let means: Means

    package init(source: NSManagedObjectModel, destination: NSManagedObjectModel, means: Means) {
      (self.source, self.destination, self.means) = (source, destination, means)
    }
  }

  /// Finds the mapping model from one model to another.
  package typealias MappingSearch = (_ source: NSManagedObjectModel, _ destination: NSManagedObjectModel) throws ->
    NSMappingModel?

  /// The steps; empty for a store that already has the wanted version.
  package let steps: [Step]
  /// How many pairs of versions were compared to see what can be inferred.
  private(set) var inferences = 0

  /// Finds the steps.
  ///
  /// - Parameters:
  ///   - metadata: The store's metadata.
  ///   - models: The versions, oldest first.
  ///   - destination: The version to migrate to, which need not be one of the models.
  ///   - source: The version of the store; nil for the latest that fits the store, or, if several fit, the latest one
  ///     that has the store's version identifiers.
  ///   - configuration: The configuration of the models that the store has.
  ///   - hasMappings: Whether `mapping` can find any mapping model at all. If it cannot, no pair of versions is looked at,
  ///     and a direct step that can be inferred is taken at once.
  ///   - mapping: Finds mapping models, and is asked for every pair of versions: it should rule pairs out by their hashes
  ///     (`MappingCandidate`); nil to look in the places that
  ///     `NSMappingModel(from:forSourceModel:destinationModel:)` looks in.
  ///   - risksRows: Whether to take a step that may fail because of the store's rows, if there is no other way.
  /// - Throws: 134130 if no version is the store's, 134140 if there is no way, with the reason, 256 if a mapping model
  ///   cannot be read.
  package init(
    from metadata: [String: Any], among models: [NSManagedObjectModel], to destination: NSManagedObjectModel,
    source: NSManagedObjectModel? = nil, configuration: String? = nil,
    hasMappings: Bool = true, mapping: MappingSearch? = nil, risksRows: Bool = false
  ) throws {
    // The hashes of a model that can still change are computed each time.
    for model in models + [destination] { model.freeze() }
    func isStores(_ model: NSManagedObjectModel) -> Bool {
      model.isConfiguration(withName: configuration, compatibleWithStoreMetadata: metadata)
    }
    if isStores(destination) {
      steps = []
      return
    }
    let given = source.flatMap { source in models.firstIndex { $0 === source } }
    let named = models.lastIndex { isStores($0) && $0.hasVersionIdentifiers(of: metadata) }
    guard let first = given ?? named ?? models.lastIndex(where: isStores) else {
      throw NSError(
        coreData: NSMigrationMissingSourceModelError,
        "Persistent store migration failed, missing source managed object model. None of the \(models.count) versions is "
          + "the store's.", ["metadata": metadata])
    }
    let wanted = destination.entityVersionHashesByName
    let last = models.lastIndex { $0.entityVersionHashesByName == wanted } ?? models.count
    var versions = [models[first]]
    if first < last { versions += models[(first + 1)..<min(last, models.count)] }
    // Consecutive versions with the same version hashes count as one, because stores do not know their other
    // differences.
    var hashes = [versions[0].entityVersionHashesByName]
    versions =
      [versions[0]]
      + versions.dropFirst().filter { model in
        let own = model.entityVersionHashesByName
        defer { hashes.append(own) }
        return own != hashes.last && own != wanted
      }
    versions.append(destination)
    let direct = Step(source: versions[0], destination: destination, means: .inferred)
    let isMapped: Bool, search: MappingSearch
    if let mapping {
      (isMapped, search) = (hasMappings, mapping)
    } else {
      let candidates = try NSMappingModel.candidatesInBundles
      (isMapped, search) = (!candidates.isEmpty, { try NSMappingModel(among: candidates, from: $0, to: $1) })
    }
    if !isMapped, direct.inferred.obstacles.isEmpty {
      (steps, inferences) = ([direct], 1)
      return
    }
    var way = try VersionWay(versions, isMapped ? search : { _, _ in nil })
    steps = try way.steps(risksRows: risksRows)
    inferences = way.inferences
  }
}
