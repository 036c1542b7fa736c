import Foundation
import OpenCoreData

extension StoreKind {
  /// Returns a text that differs between two states of a store in one file or of a web service; nil if the store does not tell.
  /// - Throws: a ``ToolError`` if a service does not answer.
  func stamp(_ url: URL) throws -> String? {
    guard self == .service else { return FileStateStamp.text(url.path) }
    return try metadata(url)[StorePlace.serviceStateKey] as? String
  }

  /// Whether a store is read in one step, so that what was read is one state of the store. A service is asked many times, and
  /// others may save between two answers.
  var isReadInOneStep: Bool { self != .service }
}
