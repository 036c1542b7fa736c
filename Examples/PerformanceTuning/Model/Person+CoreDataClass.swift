import CoreData
import Foundation

/// Somebody who appears in selfies.
public class Person: NSManagedObject {

}
