import CoreData
import Foundation

/// Lets tools look into an example while it runs.
package enum Listening {
  /// Begins to listen, also in a release build, and says on the standard error how to look.
  ///
  /// - Throws: The errors of `CoreDataInstruments.listen`.
  package static func begin() throws {
    #if os(Linux)
      try CoreDataInstruments.listen(allowingReleaseBuilds: true)
      let process = ProcessInfo.processInfo.processIdentifier
      FileHandle.standardError.write(Data("Look into it with: coredata attach \(process)\n".utf8))
    #endif
  }
}
