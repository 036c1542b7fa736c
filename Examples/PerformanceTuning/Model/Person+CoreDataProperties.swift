import CoreData
import Foundation

extension Person {

  /// A request for all people.
  @nonobjc public class func fetchRequest() -> NSFetchRequest<Person> {
    return NSFetchRequest<Person>(entityName: "Person")
  }

  /// The name, unique among people.
  @NSManaged public var name: String?
  /// From 0 to 99 as loaded.
  @NSManaged public var rating: Int16
  /// The selfies that show this person.
  @NSManaged public var selfies: Set<Selfie>

}

// MARK: Generated accessors for selfies
extension Person {

  /// Adds one to `selfies`.
  @NSManaged public func addToSelfies(_ value: Selfie)

  /// Takes one out of `selfies`.
  @NSManaged public func removeFromSelfies(_ value: Selfie)

  /// Adds several to `selfies`.
  @NSManaged public func addToSelfies(_ values: NSSet)

  /// Takes several out of `selfies`.
  @NSManaged public func removeFromSelfies(_ values: NSSet)

}

extension Person: Identifiable {

}
