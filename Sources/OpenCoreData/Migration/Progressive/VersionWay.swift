import Foundation

/// Searches for the fewest steps from the first of some versions to the last.
///
/// Comparing two versions to see what can be inferred is what costs: pairs are compared only while the way is not found, and
/// once.
struct VersionWay {
  private let versions: [NSManagedObjectModel]
  /// The mapping models, by the indexes of their source and destination versions.
  private let mappings: [[NSMappingModel?]]
  /// Whether there is a mapping model from or to a version between two, these included.
  private let areMapped: [[Bool]]
  /// What keeps a pair from being inferred, as far as it was compared.
  private var compared: [[[MigrationObstacle]?]]
  /// How many pairs were compared.
  private(set) var inferences = 0

  init(_ versions: [NSManagedObjectModel], _ search: ProgressiveMigration.MappingSearch) throws {
    self.versions = versions
    mappings = try versions.indices.map { first in
      try versions.indices.map { second in first < second ? try search(versions[first], versions[second]) : nil }
    }
    var areMapped = mappings.map { $0.map { $0 != nil } }
    for length in versions.indices.dropFirst() {
      for start in 0..<(versions.count - length) {
        let end = start + length
        areMapped[start][end] = areMapped[start][end] || areMapped[start + 1][end] || areMapped[start][end - 1]
      }
    }
    self.areMapped = areMapped
    compared = versions.map { _ in versions.map { _ in nil } }
  }

  mutating func steps(risksRows: Bool) throws -> [ProgressiveMigration.Step] {
    // A way that skips a mapping model is better than none.
    for risksRows in risksRows ? [false, true] : [false] {
      for jumping in [false, true] {
        if let steps = way(jumping: jumping, risksRows: risksRows) { return steps }
      }
    }
    var reasons: [String] = []
    for index in versions.indices.dropLast() where mappings[index][index + 1] == nil {
      guard let obstacle = obstacles(index, index + 1).first else { continue }
      reasons.append("Nothing leads from version \(index + 1) to \(index + 2) of \(versions.count): \(obstacle.text).")
    }
    throw NSError(
      coreData: NSMigrationMissingMappingModelError,
      "Persistent store migration failed, missing mapping model. \(reasons.joined(separator: " "))",
      ["sourceModel": versions[0], "destinationModel": versions[versions.count - 1]])
  }

  /// Goes from the versions that are reached to all that one more step reaches. The last version is tried before the others,
  /// and so the direct step before all.
  private mutating func way(jumping: Bool, risksRows: Bool) -> [ProgressiveMigration.Step]? {
    /// For each version that is reached the version where the last step begins, and the step's means.
    var ways: [(from: Int, means: ProgressiveMigration.Means)?] = versions.map { _ in nil }
    let last = versions.count - 1
    var reached = [0], waiting = [last] + (1..<max(1, last))
    while ways[last] == nil {
      var next: [Int] = []
      for end in waiting {
        // Of several ways of the same length that from the oldest version is taken.
        for start in reached where start < end {
          guard let means = means(start, end, jumping: jumping, risksRows) else { continue }
          ways[end] = (start, means)
          next.append(end)
          break
        }
        if ways[last] != nil { break }
      }
      if next.isEmpty { return nil }
      waiting.removeAll { ways[$0] != nil }
      reached = next.sorted()
    }
    var steps: [ProgressiveMigration.Step] = [], end = last
    while end > 0 {
      guard let way = ways[end] else { return nil }
      steps.append(.init(source: versions[way.from], destination: versions[end], means: way.means))
      end = way.from
    }
    return steps.reversed()
  }

  private mutating func means(
    _ start: Int, _ end: Int, jumping: Bool, _ risksRows: Bool
  ) -> ProgressiveMigration.Means? {
    if let mapping = mappings[start][end] { return .mapping(mapping) }
    if !jumping, areMapped[start][end] { return nil }
    return obstacles(start, end).allSatisfy { risksRows && $0.kind != .noInferredMapping } ? .inferred : nil
  }

  private mutating func obstacles(_ start: Int, _ end: Int) -> [MigrationObstacle] {
    if let known = compared[start][end] { return known }
    inferences += 1
    let found = InferredMigration(from: versions[start], to: versions[end]).obstacles
    compared[start][end] = found
    return found
  }
}
