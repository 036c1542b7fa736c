import CoreData
import Foundation

extension SocialNetwork {

  /// Returns a request for all social networks.
  @nonobjc public class func fetchRequest() -> NSFetchRequest<SocialNetwork> {
    return NSFetchRequest<SocialNetwork>(entityName: "SocialNetwork")
  }

  /// The name, unique among social networks.
  @NSManaged public var name: String?
  /// A rating; the loaded objects have values from 0 to 99.
  @NSManaged public var rating: Int16
  /// The selfies posted here.
  @NSManaged public var selfies: Set<Selfie>

}

// MARK: Generated accessors for selfies
extension SocialNetwork {

  /// Adds a selfie to `selfies`.
  @NSManaged public func addToSelfies(_ value: Selfie)

  /// Removes a selfie from `selfies`.
  @NSManaged public func removeFromSelfies(_ value: Selfie)

  /// Adds several selfies to `selfies`.
  @NSManaged public func addToSelfies(_ values: NSSet)

  /// Removes several selfies from `selfies`.
  @NSManaged public func removeFromSelfies(_ values: NSSet)

}

extension SocialNetwork: Identifiable {

}
