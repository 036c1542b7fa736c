import CoreData

/// The objects that come along with others, and whose lists of members do.
struct Along {
  var objects: [NSManagedObject] = []
  var lists: [NSManagedObject: Set<String>] = [:]
  private var known: Set<NSManagedObject>
  private let limit: Int

  init(_ objects: [NSManagedObject], _ paths: [String], _ limit: Int) throws {
    (known, self.limit) = (Set(objects), limit)
    for path in paths {
      // A path of any length would be followed as deep.
      if path.utf8.count > 1000 || path.split(separator: ".").count > 16 {
        throw ServiceError(400, "include: a path has 16 steps at most.")
      }
      try follow(path.split(separator: ".").map(String.init)[...], objects)
    }
  }

  private mutating func follow(_ steps: ArraySlice<String>, _ owners: [NSManagedObject]) throws {
    guard let step = steps.first else { return }
    var next: [NSManagedObject] = [], seen: Set<NSManagedObject> = []
    for owner in owners {
      guard let relationship = owner.entity.relationshipsByName[step] else {
        throw ServiceError(400, "include: \(owner.entity.name ?? "") has no relationship “\(step.prefix(100))”.")
      }
      let members =
        relationship.isToMany
        ? ServedStore.members(of: owner, relationship)
        : [owner.value(forKey: step) as? NSManagedObject].compactMap { $0 }
      if relationship.isToMany { lists[owner, default: []].insert(step) }
      for member in members where seen.insert(member).inserted { next.append(member) }
    }
    for object in next where objects.count < limit && known.insert(object).inserted { objects.append(object) }
    // Of those that do not come, nothing comes along: a path could lead through the whole store, again and again.
    try follow(steps.dropFirst(), next.filter(known.contains))
  }
}
