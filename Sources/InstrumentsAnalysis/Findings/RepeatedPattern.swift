import OpenCoreData

/// Repeated work, and a description of how to avoid it.
struct RepeatedPattern: Hashable {
  let kind: Finding.Kind
  let caller: String?
  private let words: Words

  /// - Parameter around: The fetches that may have made the objects of the loop, the latest first.
  init?(
    _ run: SiblingRun, _ activity: Recording.Activity, _ around: [Recording.Activity], _ analysis: RecordingAnalysis
  ) {
    caller = analysis.paths.caller(activity.stack)
    switch activity.kind {
    case .objectFault, .relationshipFault:
      kind = .repeatedFaults
      words = Self.faults(activity, around, analysis)
    default:
      guard Self.isLoop(run, activity, around) else { return nil }
      kind = .repeatedFetches
      words = Self.fetches(activity, around, analysis)
    }
  }

  private struct Words: Hashable {
    var entity: String?
    var prefetch: [String]?
    var fetch: String?
    var title: String
    var advice: String
  }

  /// Returns the description of a fetch.
  private static func name(_ entity: String, _ fetch: Recording.Activity?, _ analysis: RecordingAnalysis) -> String {
    let place = fetch.flatMap { analysis.paths.caller($0.stack) }.map { " in \($0)" } ?? ""
    return "the fetch of \(entity)\(place)"
  }

  private static func faults(
    _ activity: Recording.Activity, _ around: [Recording.Activity], _ analysis: RecordingAnalysis
  ) -> Words {
    guard let relationship = activity.relationship else {
      let entity = activity.entity ?? "objects"
      return Words(
        entity: activity.entity, title: "Faults of \(entity) fire one by one",
        advice: "Fetch what will be read as full objects, in one request: returnsObjectsAsFaults = false, with "
          + "“SELF IN %@” for objects that are at hand.")
    }
    // The entity that declares a relationship may be a superentity of the fetched one.
    let owner = (activity.kind == .relationshipFault ? activity.entity : activity.owner) ?? ""
    let ways = around.compactMap { fetch in
      fetch.entity.flatMap { analysis.models.keyPath(from: $0, to: owner) }.map { (fetch: fetch, keys: $0) }
    }
    let way = ways.min { $0.keys.count < $1.keys.count }
    let entity = way?.fetch.entity ?? owner
    let keyPath = ((way?.keys ?? []) + [relationship]).joined(separator: ".")
    let fetch = name(entity, way?.fetch, analysis)
    return Words(
      entity: entity, prefetch: [keyPath], fetch: fetch, title: "\(owner).\(relationship) is read one by one",
      advice: prefetching(keyPath, fetch))
  }

  private static func prefetching(_ keyPath: String, _ fetch: String) -> String {
    "Prefetch it: request.relationshipKeyPathsForPrefetching = [\"\(keyPath)\"] of \(fetch)."
  }

  private static func fetches(
    _ activity: Recording.Activity, _ around: [Recording.Activity], _ analysis: RecordingAnalysis
  ) -> Words {
    let title = "\(activity.title.prefix(1).uppercased())\(activity.title.dropFirst()) in a loop"
    let keys = activity.predicate.map { PredicateFacts($0).lookups } ?? []
    for outer in around {
      guard let owner = outer.entity, let entity = activity.entity,
        let relationship = relationship(from: owner, to: entity, by: keys, analysis.models)
      else { continue }
      let fetch = name(owner, outer, analysis)
      return Words(
        entity: owner, prefetch: [relationship], fetch: fetch, title: title,
        advice: "It reads what \(owner).\(relationship) has. " + prefetching(relationship, fetch))
    }
    let key = keys.first ?? "SELF"
    return Words(
      entity: activity.entity, title: title,
      advice: "Fetch them before the loop, in one request with “\(key) IN %@”, and look them up in a dictionary.")
  }

  /// Returns the relationship of one fetch's objects whose members another fetch looks up by some keys; nil unless
  /// there is exactly one.
  private static func relationship(
    from owner: String, to entity: String, by keys: [String], _ models: RecordedModels
  ) -> String? {
    var names = keys.contains("SELF") ? models.relationships(from: owner, to: entity) : []
    // If a fetch looks objects up by an object of the outer entity, the outer object has them in the inverse
    // relationship.
    for key in keys {
      guard let end = models.destination(of: key, of: entity), models.isKind(owner, of: end),
        let inverse = models.inverse(of: key, of: entity)
      else { continue }
      names.append(inverse)
    }
    return names.count == 1 ? names[0] : nil
  }

  /// Whether the run is a fetch for each object of another fetch, or a repeated look-up. A fetch that is repeated on
  /// purpose is not.
  private static func isLoop(_ run: SiblingRun, _ activity: Recording.Activity, _ around: [Recording.Activity]) -> Bool
  {
    guard let predicate = activity.predicate, !PredicateFacts(predicate).lookups.isEmpty else {
      let count = run.measure.count
      return activity.detail != nil && around.contains { count <= $0.rows * 2 && count * 2 >= $0.rows }
    }
    return true
  }

  var finding: Finding {
    Finding(
      kind: kind, title: words.title, advice: words.advice, caller: caller, entity: words.entity,
      prefetch: words.prefetch, fetch: words.fetch, count: 0, rows: 0, seconds: 0)
  }
}
