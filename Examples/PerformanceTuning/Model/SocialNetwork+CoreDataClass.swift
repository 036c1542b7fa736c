import CoreData
import Foundation

/// A place where selfies are posted.
public class SocialNetwork: NSManagedObject {

}
