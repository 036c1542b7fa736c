import CoreData
import Foundation

extension Person {

  /// Returns a request for all people.
  @nonobjc public class func fetchRequest() -> NSFetchRequest<Person> {
    return NSFetchRequest<Person>(entityName: "Person")
  }

  /// The name, unique among people.
  @NSManaged public var name: String?
  /// A rating; the loaded objects have values from 0 to 99.
  @NSManaged public var rating: Int16
  /// The selfies that show this person.
  @NSManaged public var selfies: Set<Selfie>

}

// MARK: Generated accessors for selfies
extension Person {

  /// Adds a selfie to `selfies`.
  @NSManaged public func addToSelfies(_ value: Selfie)

  /// Removes a selfie from `selfies`.
  @NSManaged public func removeFromSelfies(_ value: Selfie)

  /// Adds several selfies to `selfies`.
  @NSManaged public func addToSelfies(_ values: NSSet)

  /// Removes several selfies from `selfies`.
  @NSManaged public func removeFromSelfies(_ values: NSSet)

}

extension Person: Identifiable {

}
