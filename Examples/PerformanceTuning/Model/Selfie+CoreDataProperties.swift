import CoreData
import Foundation

extension Selfie {

  /// Returns a request for all selfies.
  @nonobjc public class func fetchRequest() -> NSFetchRequest<Selfie> {
    return NSFetchRequest<Selfie>(entityName: "Selfie")
  }

  /// The name, unique among selfies.
  @NSManaged public var name: String?
  /// A rating; the loaded objects have values from 0 to 99.
  @NSManaged public var rating: Int16
  /// The people in the picture.
  @NSManaged public var people: Set<Person>
  /// The networks on which the selfie was posted.
  @NSManaged public var socialNetworks: Set<SocialNetwork>

}

// MARK: Generated accessors for people
extension Selfie {

  /// Adds a person to `people`.
  @NSManaged public func addToPeople(_ value: Person)

  /// Removes a person from `people`.
  @NSManaged public func removeFromPeople(_ value: Person)

  /// Adds several people to `people`.
  @NSManaged public func addToPeople(_ values: NSSet)

  /// Removes several people from `people`.
  @NSManaged public func removeFromPeople(_ values: NSSet)

}

// MARK: Generated accessors for socialNetworks
extension Selfie {

  /// Adds a network to `socialNetworks`.
  @NSManaged public func addToSocialNetworks(_ value: SocialNetwork)

  /// Removes a network from `socialNetworks`.
  @NSManaged public func removeFromSocialNetworks(_ value: SocialNetwork)

  /// Adds several networks to `socialNetworks`.
  @NSManaged public func addToSocialNetworks(_ values: NSSet)

  /// Removes several networks from `socialNetworks`.
  @NSManaged public func removeFromSocialNetworks(_ values: NSSet)

}

extension Selfie: Identifiable {

}
