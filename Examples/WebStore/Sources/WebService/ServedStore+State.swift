import Foundation
@_spi(Store) import OpenCoreData
import WebProtocol

extension ServedStore {
  /// A text that differs between two states of the objects.
  ///
  /// It is made of the saves that this service has carried out since it was started, and the stamp that the framework makes of the file
  /// and its log, which also differs when another program has written the file.
  func state() -> String { "\(start) \(saveCount.withLock { $0 }) \(store.stateStamp() ?? "-")" }
}
