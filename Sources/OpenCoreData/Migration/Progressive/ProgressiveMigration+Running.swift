import Foundation
import OpenCocoaFoundation

extension ProgressiveMigration {
  /// Takes the steps one after the other. The store must not be open in this process. After each step, the store has
  /// the version of that step, so a migration that stops half-way can be continued.
  ///
  /// - Parameters:
  ///   - url: The store.
  ///   - type: Its type.
  ///   - options: The options to open it with.
  ///   - progress: Called with the part that is done, from 0 to 1.
  ///   - lightweight: Does an inferred step.
  /// - Throws: the error of a step; the store then has the version from before that step.
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
