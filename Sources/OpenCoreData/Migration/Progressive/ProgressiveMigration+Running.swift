import Foundation
import OpenCocoaFoundation

extension ProgressiveMigration {
  /// Takes the steps, one after the other, with a store that nobody has open here. After each the store is in a version
  /// of its own: what ends half-way can be gone on with.
  ///
  /// - Parameters:
  ///   - url: The store.
  ///   - type: Its type.
  ///   - options: The options to open it with.
  ///   - progress: Is told how much is done, from 0 to 1.
  ///   - lightweight: Does what can be inferred.
  /// - Throws: what a step throws; the store has the version before it then.
  package func run(
    storeAt url: URL, type: String, options: [AnyHashable: Any]? = nil, progress: (Float) -> Void = { _ in },
    lightweight: (_ store: URL, _ source: NSManagedObjectModel, _ destination: NSManagedObjectModel) throws -> Void
  ) throws {
    for (number, step) in steps.enumerated() {
      progress(Float(number) / Float(steps.count))
      switch step.means {
      case .inferred: try lightweight(url, step.source, step.destination)
      case .mapping(let mapping):
        try StoreRemaking.migrate(
          MigrationPlace(url, type, options), from: step.source, to: step.destination, mapping)
      }
    }
    progress(1)
  }
}
