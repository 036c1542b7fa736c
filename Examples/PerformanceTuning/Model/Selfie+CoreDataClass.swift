import CoreData
import Foundation

/// A picture of people, posted on social networks.
public class Selfie: NSManagedObject {

  /// The life-cycle calls that this object has received on its way into a fault, oldest first.
  public private(set) var lifeCycle: [String] = []

  /// Notes that the object is about to become a fault.
  public override func willTurnIntoFault() {
    super.willTurnIntoFault()
    lifeCycle.append("willTurnIntoFault")
  }

  /// Notes that the object has become a fault.
  public override func didTurnIntoFault() {
    super.didTurnIntoFault()
    lifeCycle.append("didTurnIntoFault")
  }
}
