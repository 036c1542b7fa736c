import CoreData

/// Compares both ends of relationships: what the one says of the other.
enum BothEnds {
  /// Where the ends of relationships disagree, or lead to a deleted object, in words. Reads what has not been read.
  static func disagreements(of objects: some Sequence<NSManagedObject>) -> [String] {
    var found: [String] = []
    for object in objects where !object.isDeleted && object.managedObjectContext != nil {
      for (name, relationship) in object.entity.relationshipsByName.sorted(by: { $0.key < $1.key }) {
        guard let inverse = relationship.inverseRelationship else { continue }
        let members = Self.members(object, name)
        if Set(members).count != members.count { found.append("\(label(object)).\(name) has a member twice") }
        for member in members {
          if member.isDeleted || member.managedObjectContext == nil {
            found.append("\(label(object)).\(name) has \(label(member)), which is deleted")
          } else if !Self.members(member, inverse.name).contains(object) {
            found.append("\(label(object)).\(name) has \(label(member)), which does not have it as \(inverse.name)")
          }
        }
      }
    }
    return found
  }

  /// The members of a relationship of any kind.
  static func members(_ object: NSManagedObject, _ name: String) -> [NSManagedObject] {
    switch object.value(forKey: name) {
    case let member as NSManagedObject: [member]
    case let set as NSSet: set.allObjects.compactMap { $0 as? NSManagedObject }
    case let set as NSOrderedSet: set.array.compactMap { $0 as? NSManagedObject }
    default: []
    }
  }

  /// Adds a member to a relationship of any kind, from this end.
  static func add(_ member: NSManagedObject, to object: NSManagedObject, _ name: String) {
    guard let relationship = object.entity.relationshipsByName[name], relationship.isToMany else {
      return object.setValue(member, forKey: name)
    }
    if relationship.isOrdered {
      object.mutableOrderedSetValue(forKey: name).add(member)
    } else {
      object.mutableSetValue(forKey: name).add(member)
    }
  }

  /// Removes a member from a relationship of any kind, from this end.
  static func remove(_ member: NSManagedObject, from object: NSManagedObject, _ name: String) {
    guard let relationship = object.entity.relationshipsByName[name], relationship.isToMany else {
      return object.setValue(nil, forKey: name)
    }
    if relationship.isOrdered {
      object.mutableOrderedSetValue(forKey: name).remove(member)
    } else {
      object.mutableSetValue(forKey: name).remove(member)
    }
  }

  static func label(_ object: NSManagedObject) -> String {
    "\(object.entity.name ?? "") \(object.number("number").map { "\($0)" } ?? "?")"
  }
}
