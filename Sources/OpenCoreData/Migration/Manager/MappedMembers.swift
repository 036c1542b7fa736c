import Foundation

/// Sets a relationship to the objects that an expression gives.
struct MappedMembers {
  private let object: NSManagedObject
  private let mapping: NSEntityMapping
  let slot: PropertySlot

  /// - Throws: 134110 if the object has no such relationship.
  init(_ object: NSManagedObject, _ name: String, _ mapping: NSEntityMapping) throws {
    guard let slot = object.layout.slot(named: name), slot.kind.isRelationship else {
      throw MigrationFailure.error(
        "the destination entity has no such relationship", entity: object.layout.name, property: name, mapping: mapping)
    }
    (self.object, self.mapping, self.slot) = (object, mapping, slot)
  }

  /// Sets the members. A to-one relationship takes one object at most. A relationship that already has these members is
  /// not set.
  /// - Throws: 134110 for several objects in a to-one relationship, for values that are not objects of the destination,
  ///   and for an object of an entity that the relationship does not lead to.
  func set(_ value: Any?) throws {
    guard let members = Self.objects(value) else {
      let given = StoredValue.unwrapped(value).map { "\(type(of: $0))" } ?? "nil"
      throw error("the expression gives \(given), not objects")
    }
    for member in members { try check(member) }
    if slot.kind == .toMany { return setMembers(members) }
    let member = members.first
    if members.contains(where: { $0 !== member }) {
      throw error("it leads to one object, and there are \(Set(members).count)")
    }
    if object.toOne(slot) !== member { object.setToOne(member, slot) }
  }

  private func setMembers(_ members: [NSManagedObject]) {
    let current = object.members(slot)
    let isSame = slot.isOrdered ? current.elementsEqual(members, by: ===) : Set(current) == Set(members)
    if !isSame { object.setToMany(members, slot) }
  }

  private func check(_ member: NSManagedObject) throws {
    if member.managedObjectContext !== object.managedObjectContext {
      throw error("\(member.entity.name ?? "") is no object of the destination")
    }
    guard let target = slot.destination, !member.entity.isKindOf(entity: target) else { return }
    throw error("it leads to \(target.name ?? ""), not to \(member.entity.name ?? "")")
  }

  private func error(_ reason: String) -> NSError {
    MigrationFailure.error(reason, entity: object.layout.name, property: slot.name, mapping: mapping)
  }

  /// Returns the objects in a value that is an object, a collection or nil; nil for any other value. The objects of a
  /// set are sorted by their keys, so that a migration always gives the same result.
  static func objects(_ value: Any?) -> [NSManagedObject]? {
    func all(_ elements: [Any]) -> [NSManagedObject]? {
      let values = elements.compactMap { StoredValue.unwrapped($0) }
      let objects = values.compactMap { $0 as? NSManagedObject }
      return objects.count == values.count ? objects : nil
    }
    switch StoredValue.unwrapped(value) {
    case nil: return []
    case let object as NSManagedObject: return [object]
    case let set as NSOrderedSet: return all(set.array)
    case let set as NSSet: return all(set.allObjects)?.sorted { $0.key < $1.key }
    case let array as [Any]: return all(array)
    case let set as Set<NSManagedObject>: return set.sorted { $0.key < $1.key }
    default: return nil
    }
  }
}
