import CoreData
import Foundation

/// The program's model, which the build plugin compiles.
enum Model {
  static let books = load("Books")

  private static func load(_ name: String) -> NSManagedObjectModel {
    guard let url = Bundle.module.url(forResource: name, withExtension: "momd"),
      let model = NSManagedObjectModel(contentsOf: url)
    else { fatalError("The model \(name) is not in the program's resources.") }
    return model
  }
}
