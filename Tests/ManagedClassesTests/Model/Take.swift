import CoreData

/// The hand-written classes of Studio.xcdatamodeld; Session and LiveSession are generated whole, Room's properties are.
public class Room: NSManagedObject {
  var title: String { "Room \(name ?? "?")" }
}

public class Take: NSManagedObject {
  @NSManaged public var number: Int16
  // A class that only the model declares.
  @NSManaged public var session: Session?
}
