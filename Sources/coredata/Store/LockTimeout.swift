import ArgumentParser
import CoreData
import Foundation

/// The time that a command waits if another process has locked the store.
///
/// The default of a store is 240 seconds, as in an app; at a terminal that looks like a hang.
struct LockTimeout: ParsableArguments {
  @Option(help: "Seconds to wait for others who have it locked.")
  var timeout: Double = 5

  func validate() throws {
    if !(timeout >= 0) { throw ValidationError("--timeout must be 0 or more.") }
  }

  /// The options with which a store is opened, copied or destroyed.
  var storeOptions: [AnyHashable: Any] { [NSPersistentStoreTimeoutOption: NSNumber(value: timeout)] }
}
