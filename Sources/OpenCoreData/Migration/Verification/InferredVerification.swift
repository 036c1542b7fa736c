import Foundation
import OpenCocoaFoundation

/// Compares a store that was migrated by an inferred mapping with a copy from before, object by object and value by
/// value. It takes one object of each of the two stores at a time.
///
/// Derived attributes are not compared. Nor is a new relationship whose members follow from its inverse: other checks
/// test whether both sides agree.
package struct InferredVerification {
  private let migration: InferredMigration
  private let before: any VerifiedStore
  private let after: any VerifiedStore
  /// The numbers that were added to the keys of objects, by the name of the old entity.
  private let offsets: [String: Int64]
  /// The changes of entities, by the name of the old entity.
  private let changes: [String: EntityMigration]

  init(
    _ migration: InferredMigration, before: any VerifiedStore, after: any VerifiedStore, offsets: [String: Int64] = [:]
  ) {
    (self.migration, self.before, self.after, self.offsets) = (migration, before, after, offsets)
    changes = Dictionary(
      migration.entities.compactMap { change in change.source?.name.map { ($0, change) } },
      uniquingKeysWith: { first, _ in first })
  }

  /// Verifies a SQLite store that was migrated in place.
  /// - Parameter plan: The plan that `InPlaceMigration.run(progress:)` returned.
  package init(
    _ migration: InferredMigration, plan: MigrationPlan, before: InspectedStore, after: InspectedStore
  ) {
    let offsets = plan.entities.compactMap { entity in entity.source.map { ($0, entity.keyOffset) } }
    self.init(
      migration, before: before, after: after, offsets: Dictionary(offsets, uniquingKeysWith: { first, _ in first }))
  }

  /// Compares all objects.
  /// - Parameter progress: Called for each entity with its name, and how many objects were compared so far.
  /// - Throws: the errors of reading the stores.
  package func run(progress: (String, Int) -> Void = { _, _ in }) throws -> MigrationVerification {
    var result = MigrationVerification()
    for change in migration.entities {
      guard let entity = change.destination else {
        try count(change, &result)
        continue
      }
      if entity.isAbstract || !after.holds(entity) { continue }
      try compare(change, entity, &result, progress)
    }
    return result
  }

  /// Counts the objects of a removed entity.
  private func count(_ change: EntityMigration, _ result: inout MigrationVerification) throws {
    guard let source = change.source, !source.isAbstract, before.holds(source) else { return }
    var objects = try before.objects(of: source)
    var count = 0
    while try objects.next() != nil { count += 1 }
    result.entities.append(.init(name: change.name, source: change.name, before: count, after: 0))
  }

  private func compare(
    _ change: EntityMigration, _ entity: NSEntityDescription, _ result: inout MigrationVerification,
    _ progress: (String, Int) -> Void
  ) throws {
    let source = change.source.flatMap { !$0.isAbstract && before.holds($0) ? $0 : nil }
    let offset = source?.name.flatMap { offsets[$0] } ?? 0
    var old = try source.map { try before.objects(of: $0) }
    var new = try after.objects(of: entity)
    var (first, second) = (try old?.next(), try new.next())
    var counts = (before: 0, after: 0)
    let name = change.name
    while first != nil || second != nil {
      let keys = (first.map { $0.key + offset }, second?.key)
      if let before = first, let after = second, keys.0 == keys.1 {
        try compare(before, after, change, &result)
        result.objects += 1
        if result.objects.isMultiple(of: 1000) { progress(name, result.objects) }
      } else if let missing = keys.0, keys.1.map({ missing < $0 }) ?? true {
        result.report("\(source?.name ?? "")/p\(missing - offset) is missing: \(name)/p\(missing) is expected")
      } else {
        result.report("\(name)/p\(keys.1 ?? 0) is there, and was not before")
      }
      // The side with the smaller key advances; both advance if their keys are equal.
      let (takesFirst, takesSecond) = Self.advance(keys.0, keys.1)
      if takesFirst {
        counts.before += 1
        first = try old?.next()
      }
      if takesSecond {
        counts.after += 1
        second = try new.next()
      }
    }
    result.entities.append(.init(name: name, source: source?.name, before: counts.before, after: counts.after))
    progress(name, result.objects)
  }

  private static func advance(_ first: Int64?, _ second: Int64?) -> (Bool, Bool) {
    guard let first else { return (false, true) }
    guard let second else { return (true, false) }
    return (first <= second, second <= first)
  }

  // MARK: One object

  private func compare(
    _ old: VerifiedObject, _ new: VerifiedObject, _ change: EntityMigration, _ result: inout MigrationVerification
  ) throws {
    let object = "\(change.name)/p\(new.key)"
    for attribute in change.attributes where !attribute.isDerived {
      result.values += 1
      let found = new.attributes[attribute.destination.name]
      let isThere = "\(object).\(attribute.path): \(VerifiedValue.text(found, of: attribute.destination)) is there"
      do {
        let expected = try attribute.value(of: attribute.source.flatMap { old.attributes[$0.name] })
        if VerifiedValue.isSame(expected, found) { continue }
        result.report("\(isThere), \(VerifiedValue.text(expected, of: attribute.destination)) is expected")
      } catch {
        result.report("\(isThere); \(error.localizedDescription)")
      }
    }
    for relationship in change.relationships {
      guard var expected = members(relationship, of: old) else { continue }
      result.values += 1
      var found = new.members[relationship.destination.name] ?? []
      let hasOrder = relationship.destination.isOrdered && relationship.source?.isOrdered == true
      if !hasOrder { (expected, found) = (Self.sorted(expected), Self.sorted(found)) }
      if expected == found { continue }
      result.report(
        "\(object).\(relationship.destination.name): \(Self.text(found)) is there, \(Self.text(expected)) is expected")
    }
  }

  /// The members that a relationship must have; nil for a new one whose members follow from its inverse.
  private func members(_ relationship: RelationshipMigration, of old: VerifiedObject) -> [InspectedReference]? {
    let destination = relationship.destination
    guard let source = relationship.source else {
      return destination.otherEnd == nil ? [] : nil
    }
    return (old.members[source.name] ?? []).compactMap { member in
      guard let now = changes[member.entity]?.destination,
        destination.destinationEntity.map(now.isKindOf(entity:)) ?? true
      else { return nil }
      return InspectedReference(entity: now.name ?? "", key: member.key + (offsets[member.entity] ?? 0))
    }
  }

  private static func sorted(_ members: [InspectedReference]) -> [InspectedReference] {
    members.count < 2 ? members : members.sorted { ($0.entity, $0.key) < ($1.entity, $1.key) }
  }

  private static func text(_ members: [InspectedReference]) -> String {
    let names = members.prefix(5).map(\.text).joined(separator: ", ")
    return members.isEmpty ? "nothing" : names + (members.count > 5 ? ", … (\(members.count))" : "")
  }
}
