import CoreData
import Foundation

/// A person who appears in selfies.
public class Person: NSManagedObject {

}
