import OpenCoreData

/// The groups by which a recording's activities are summed up.
public enum ActivityGroup: String, CaseIterable, Encodable, Sendable {
  /// Fetches of objects, IDs and dictionaries.
  case fetches
  /// Counts.
  case counts
  /// Faults of objects that the row cache did not have.
  case objectFaults
  /// Relationships that were read.
  case relationshipFaults
  /// Prefetches of relationships.
  case prefetches
  /// Saves.
  case saves
  /// Batch requests.
  case batchRequests
  /// Migrations.
  case migrations

  package init(_ kind: Recording.Activity.Kind) {
    self =
      switch kind {
      case .fetch, .fetchKeys, .fetchDictionaries: .fetches
      case .count: .counts
      case .objectFault: .objectFaults
      case .relationshipFault: .relationshipFaults
      case .prefetch: .prefetches
      case .save: .saves
      case .batchRequest: .batchRequests
      case .migration: .migrations
      }
  }

  /// The name of the group for people.
  public var title: String {
    switch self {
    case .fetches: "Fetches"
    case .counts: "Counts"
    case .objectFaults: "Object faults"
    case .relationshipFaults: "Relationship faults"
    case .prefetches: "Prefetches"
    case .saves: "Saves"
    case .batchRequests: "Batch requests"
    case .migrations: "Migrations"
    }
  }
}

extension Recording.Activity {
  package var group: ActivityGroup { ActivityGroup(kind) }

  /// The activity in words: `fetch of Person where age > $value`.
  package var title: String {
    let entity = entity ?? "objects"
    let condition = detail.map { " where \($0)" } ?? ""
    let order = sort.map { " by \($0)" } ?? ""
    switch kind {
    case .fetch: return "fetch of \(entity)\(condition)\(order)"
    case .fetchKeys: return "fetch of keys of \(entity)\(condition)\(order)"
    case .fetchDictionaries: return "fetch of values of \(entity)\(condition)\(order)"
    case .count: return "count of \(entity)\(condition)"
    case .objectFault: return "fault of \(entity)\(relationship.map { " by \(owner ?? "").\($0)" } ?? "")"
    case .relationshipFault: return "fault of \(entity).\(relationship ?? "")"
    case .prefetch: return "prefetch of \(entity).\(relationship ?? "")"
    case .save: return "save of \(rows) inserted, \(updated) updated, \(deleted) deleted"
    case .batchRequest: return "\(detail ?? "batch request") of \(entity)"
    case .migration: return "migration of \(detail ?? "a store")"
    }
  }

  /// The activity in words, without the parts that differ from one activity to the next.
  var callTitle: String {
    switch kind {
    case .save: "save"
    case .migration: "migration"
    case .fetch: "fetch of \(entity ?? "objects")"
    case .fetchKeys: "fetch of keys of \(entity ?? "objects")"
    case .fetchDictionaries: "fetch of values of \(entity ?? "objects")"
    case .count: "count of \(entity ?? "objects")"
    default: title
    }
  }
}
