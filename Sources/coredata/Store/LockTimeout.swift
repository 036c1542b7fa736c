import ArgumentParser
import CoreData
import Foundation

/// How long a command waits for other processes that have the store locked.
///
/// Without it a store waits for 240 seconds, as an app does; a person at a terminal would take that for a hang.
struct LockTimeout: ParsableArguments {
  @Option(help: "Seconds to wait for others who have it locked.")
  var timeout: Double = 5

  func validate() throws {
    if !(timeout >= 0) { throw ValidationError("--timeout must be 0 or more.") }
  }

  /// What a store is opened, copied or destroyed with.
  var storeOptions: [AnyHashable: Any] { [NSPersistentStoreTimeoutOption: NSNumber(value: timeout)] }
}
