import CoreData
import Foundation

@_spi(Store) @testable import OpenCoreData

/// What `coredata store verify` says of a file.
enum StoreCheck {
  /// The errors, as text that two states of a store can be compared by. One-to-one relationships with one side alone, which
  /// are a warning since others write them, are none that the framework may write.
  static func errors(_ file: URL, model: NSManagedObjectModel? = nil) throws -> Set<String> {
    let problems = StoreVerification(try InspectedStore(file, model: model)).problems()
    return Set(
      problems.filter { $0.severity == .error || $0.kind == .brokenInverse }.map {
        "\($0.kind.rawValue) \($0.place): \($0.text)"
      })
  }
}
