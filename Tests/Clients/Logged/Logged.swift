import CoreData
import CoreDataLogging
import InMemoryLogging
import Logging

/// Has the framework's log in a Logger while `work` is done, and gives its lines, each with its level and kind.
public func logged(_ work: () throws -> Void) rethrows -> [String] {
  var handler = InMemoryLogHandler()
  handler.logLevel = .debug
  CoreDataInstruments.log(to: Logger(label: "store") { [handler] _ in handler })
  CoreDataInstruments.sqlDebugLevel = 1
  defer {
    CoreDataInstruments.sqlDebugLevel = 0
    CoreDataInstruments.logHandler = nil
  }
  try work()
  return handler.entries.map { "\($0.level) \($0.metadata["coredata.kind"] ?? ""): \($0.message)" }
}
