import OpenCoreData

/// N+1: a fetch, and for each of its objects a fault or a fetch more.
///
/// It counts where asking costs more than what is read. A relationship with hundreds of members is read by about as much work
/// one by one as together, and is none.
struct RepeatedWork {
  let findings: [Finding]

  init(_ analysis: RecordingAnalysis) {
    var merged: [Pattern: Finding] = [:]
    var order: [Pattern] = []
    for run in SiblingRuns(analysis).runs {
      guard run.measure.count >= Finding.repetitions,
        run.measure.rows <= run.measure.count * Finding.rowsPerStatement
      else { continue }
      let activity = analysis.recording.activities[run.first]
      let outer = run.outer.map { analysis.recording.activities[$0] }
      guard let pattern = Pattern(run, activity, outer, analysis) else { continue }
      if merged[pattern] == nil { order.append(pattern) }
      var finding = merged[pattern] ?? pattern.finding
      finding.count += run.measure.count
      finding.rows += run.measure.rows
      finding.seconds += run.measure.total
      merged[pattern] = finding
    }
    findings = order.compactMap { merged[$0] }
  }
}

/// What is repeated, and what would spare it.
private struct Pattern: Hashable {
  let kind: Finding.Kind
  let title: String
  let advice: String
  let caller: String?
  let entity: String?
  let prefetch: [String]?

  init?(_ run: SiblingRun, _ activity: Recording.Activity, _ outer: Recording.Activity?, _ analysis: RecordingAnalysis)
  {
    let place = outer.flatMap { analysis.paths.caller($0.stack) }.map { " in \($0)" } ?? ""
    caller = analysis.paths.caller(activity.stack)
    switch activity.kind {
    case .objectFault, .relationshipFault:
      kind = .repeatedFaults
      (entity, prefetch, title, advice) = Self.faults(activity, outer, place, analysis.models)
    default:
      guard Self.isLoop(run, activity, outer) else { return nil }
      kind = .repeatedFetches
      (entity, prefetch, title, advice) = Self.fetches(activity, outer, place, analysis.models)
    }
  }

  private typealias Words = (entity: String?, prefetch: [String]?, title: String, advice: String)

  private static func faults(
    _ activity: Recording.Activity, _ outer: Recording.Activity?, _ place: String, _ models: RecordedModels
  ) -> Words {
    guard let relationship = activity.relationship else {
      let entity = activity.entity ?? "objects"
      return (
        activity.entity, nil, "Faults of \(entity) fire one by one",
        "Fetch what will be read as full objects, in one request: returnsObjectsAsFaults = false, with "
          + "“SELF IN %@” for objects that are at hand."
      )
    }
    // The one that declares a relationship may be above the one that was fetched.
    let owner = (activity.kind == .relationshipFault ? activity.entity : activity.owner) ?? ""
    let way = outer?.entity.flatMap { models.keyPath(from: $0, to: owner) }
    let entity = way == nil ? owner : outer?.entity
    let keyPath = ((way ?? []) + [relationship]).joined(separator: ".")
    return (
      entity, [keyPath], "\(owner).\(relationship) is read one by one",
      prefetching(keyPath, entity ?? owner, way == nil ? "" : place)
    )
  }

  private static func prefetching(_ keyPath: String, _ entity: String, _ place: String) -> String {
    "Prefetch it: request.relationshipKeyPathsForPrefetching = [\"\(keyPath)\"] of the fetch of \(entity)\(place)."
  }

  private static func fetches(
    _ activity: Recording.Activity, _ outer: Recording.Activity?, _ place: String, _ models: RecordedModels
  ) -> Words {
    let entity = activity.entity ?? "objects"
    let title = "\(activity.title.prefix(1).uppercased())\(activity.title.dropFirst()) in a loop"
    let keys = activity.predicate.map { PredicateFacts($0).lookups } ?? []
    if let around = outer?.entity {
      let names: [String]
      if keys.contains("SELF") {
        names = models.relationships(from: around, to: entity)
      } else {
        // What is looked up by an object of the other entity, the object has by the inverse.
        names = keys.compactMap { key in
          models.destination(of: key, of: entity).flatMap {
            models.isKind(around, of: $0) ? models.inverse(of: key, of: entity) : nil
          }
        }
      }
      if names.count == 1 {
        return (
          around, names, title, "It reads what \(around).\(names[0]) has. " + prefetching(names[0], around, place)
        )
      }
    }
    let key = keys.first ?? "SELF"
    return (
      activity.entity, nil, title,
      "Fetch them before the loop, in one request with “\(key) IN %@”, and look them up in a dictionary."
    )
  }

  /// Whether it is a fetch for each object of another one, or a look-up again and again; not what somebody repeats on purpose.
  private static func isLoop(_ run: SiblingRun, _ activity: Recording.Activity, _ outer: Recording.Activity?) -> Bool {
    guard let predicate = activity.predicate, !PredicateFacts(predicate).lookups.isEmpty else {
      guard let outer, activity.detail != nil else { return false }
      return run.measure.count <= outer.rows * 2 && run.measure.count * 2 >= outer.rows
    }
    return true
  }

  var finding: Finding {
    Finding(
      kind: kind, title: title, advice: advice, caller: caller, entity: entity, prefetch: prefetch, count: 0, rows: 0,
      seconds: 0)
  }
}
