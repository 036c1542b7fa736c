import CoreData

/// Has members, in no order.
final class Owner: NSManagedObject {
  @NSManaged var name: String?
  @NSManaged var members: Set<Member>
  @NSManaged func addToMembers(_ value: Member)
}

/// Belongs to an owner.
final class Member: NSManagedObject {
  @NSManaged var name: String?
  @NSManaged var owner: Owner?
}
