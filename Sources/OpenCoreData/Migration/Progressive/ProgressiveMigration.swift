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
  ///   - mapping: Finds mapping models; nil to look in the places that
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
    let isMapped = try mapping == nil ? NSMappingModel.areInBundles : hasMappings
    if !isMapped, direct.inferred.obstacles.isEmpty {
      steps = [direct]
      return
    }
    let search = mapping ?? { try NSMappingModel(forMigrationFrom: $0, to: $1) }
    steps = try VersionWay(versions, isMapped ? search : { _, _ in nil }).steps(risksRows: risksRows)
  }
}

/// Searches for the fewest steps from the first of some versions to the last.
private struct VersionWay {
  private let versions: [NSManagedObjectModel]
  /// The mapping models, by the indexes of their source and destination versions.
  private var mappings: [[NSMappingModel?]]

  init(_ versions: [NSManagedObjectModel], _ search: ProgressiveMigration.MappingSearch) throws {
    self.versions = versions
    mappings = try versions.indices.map { first in
      try versions.indices.map { second in first < second ? try search(versions[first], versions[second]) : nil }
    }
  }

  func steps(risksRows: Bool) throws -> [ProgressiveMigration.Step] {
    // A way that skips a mapping model is better than none.
    if let steps = way(jumping: false) ?? way(jumping: true) { return steps }
    if risksRows, let steps = way(jumping: false, risksRows: true) ?? way(jumping: true, risksRows: true) {
      return steps
    }
    let reasons = versions.indices.dropLast().compactMap { index -> String? in
      guard mappings[index][index + 1] == nil,
        let obstacle = InferredMigration(from: versions[index], to: versions[index + 1]).obstacles.first
      else { return nil }
      return "Nothing leads from version \(index + 1) to \(index + 2) of \(versions.count): \(obstacle.text)."
    }
    throw NSError(
      coreData: NSMigrationMissingMappingModelError,
      "Persistent store migration failed, missing mapping model. \(reasons.joined(separator: " "))",
      ["sourceModel": versions[0], "destinationModel": versions[versions.count - 1]])
  }

  private func way(jumping: Bool, risksRows: Bool = false) -> [ProgressiveMigration.Step]? {
    /// For each version the last step of the shortest way to it: the version where that step begins, and its means.
    var ways: [(length: Int, from: Int, means: ProgressiveMigration.Means)?] = versions.map { _ in nil }
    for end in versions.indices.dropFirst() {
      for start in 0..<end where start == 0 || ways[start] != nil {
        let length = (ways[start]?.length ?? 0) + 1
        if let known = ways[end], known.length <= length { continue }
        guard let means = means(start, end, jumping: jumping, risksRows) else { continue }
        ways[end] = (length, start, means)
      }
    }
    var steps: [ProgressiveMigration.Step] = []
    var end = versions.count - 1
    while end > 0 {
      guard let way = ways[end] else { return nil }
      steps.append(.init(source: versions[way.from], destination: versions[end], means: way.means))
      end = way.from
    }
    return steps.reversed()
  }

  private func means(
    _ start: Int, _ end: Int, jumping: Bool, _ risksRows: Bool
  ) -> ProgressiveMigration.Means? {
    if let mapping = mappings[start][end] { return .mapping(mapping) }
    if !jumping {
      let isJumped = (start...end).contains { first in (start...end).contains { mappings[first][$0] != nil } }
      if isJumped { return nil }
    }
    let obstacles = InferredMigration(from: versions[start], to: versions[end]).obstacles
    return obstacles.allSatisfy { risksRows && $0.kind != .noInferredMapping } ? .inferred : nil
  }
}
