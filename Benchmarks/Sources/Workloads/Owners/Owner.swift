import CoreData

/// An owner of members, which have no order.
final class Owner: NSManagedObject {
  @NSManaged var name: String?
  @NSManaged var members: Set<Member>
  @NSManaged func addToMembers(_ value: Member)
}

/// A member of an owner.
final class Member: NSManagedObject {
  @NSManaged var name: String?
  @NSManaged var owner: Owner?
}
