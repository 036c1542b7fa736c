import Foundation
import OpenCocoaFoundation

// The other ends of objects whose rows others have deleted: the rows that they lead to have been written since, or read
// before, so that what the context has read of them is of two states.
extension MergedObjects {
  /// Notes the relationships that have objects among these as stored members; the objects need not know of them.
  func forgetOwners(of gone: [NSManagedObject]) {
    for objects in Dictionary(grouping: gone, by: { ObjectIdentifier($0.layout) }).values {
      let keys = Set(objects.lazy.map(\.key))
      for slot in objects[0].layout.slots where slot.kind.isRelationship && !slot.isTransient {
        let lists = slot.lists
        guard !lists.isEmpty, let destination = slot.destination?.layout else { continue }
        for owner in context.identityMaps.objects(of: destination.rootNumber) where owner.relations != nil {
          for list in lists {
            guard let back = owner.layout.slot(list), let known = owner.relations?.toMany(back.relationIndex)?.keys,
              known.containsAny(of: keys)
            else { continue }
            forgetMembers(of: owner, back)
          }
        }
      }
    }
  }

  /// Has the stored members of an object whose row is gone take their present rows: these do not name the object any more.
  func refreshMembers(of object: NSManagedObject) {
    for slot in object.layout.slots where slot.kind == .toMany && !slot.isTransient && !slot.inverseIsToMany {
      guard slot.inverse != nil, let destination = slot.destination?.layout,
        let keys = object.relations?.toMany(slot.relationIndex)?.keys
      else { continue }
      for key in keys.keys { registered(key, destination, object.table?.store).map(refresh) }
    }
  }
}

extension NSManagedObject {
  /// Makes the owners of an object that the next save inserts again have it as a member. What they have read, or are about
  /// to read, has lost it with its row.
  final func rejoinOwners() {
    for slot in layout.slots where slot.kind == .toOne && !slot.isTransient {
      guard case .object(let owner)? = changes?.values[slot.index], !owner.isDetached, !owner.isDeleted else {
        continue
      }
      if let inverse = slot.inverse, slot.inverseIsToMany { owner.addInverse(inverse, self, from: slot.key) }
      if slot.hasFurtherEnds { tellFurtherEnds(slot, nil, owner) }
    }
  }
}
