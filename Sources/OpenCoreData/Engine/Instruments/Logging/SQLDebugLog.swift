import CRuntime
import Dispatch
import Foundation
import OpenCocoaFoundation
import Synchronization

/// The lines that `-com.apple.CoreData.SQLDebug` adds to a statement, in Apple's words.
package enum SQLDebugLog {
  /// Returns the time since `start`, as Apple's framework writes it: `0.0004s`.
  package static func seconds(since start: UInt64) -> String {
    let elapsed = Double(DispatchTime.now().uptimeNanoseconds &- start) / 1e9
    return String(format: "%.4fs", elapsed)
  }

  // MARK: Statements

  /// The first statement with which each thread has read rows since its fetch began, for the line about the fetch's result.
  /// More statements may follow for objects that the fetch prefetches. Used at level 2 and above.
  private static let firstSelects = Mutex<[UInt64: (address: UInt, sql: String)]>([:])

  /// Called when a fetch or a count begins.
  package static func beginFetch() {
    guard CoreDataInstruments.sqlDebugLevel >= 2 else { return }
    _ = firstSelects.withLock { $0.removeValue(forKey: runtime_thread_number()) }
  }

  /// Called when a statement that reads rows is about to run.
  /// - Parameter address: the address of the statement, which Apple's line contains.
  package static func noteSelect(_ sql: String, address: UInt) {
    firstSelects.withLock { selects in
      let thread = runtime_thread_number()
      if selects[thread] == nil { selects[thread] = (address, sql) }
    }
  }

  // MARK: Fetches

  /// Logs the result of a fetch, at level 2 and above.
  /// - Parameter descriptions: the descriptions of the objects, for level 3; nil if the fetch returns no objects.
  package static func logFetch(_ entity: String, rows: Int, _ descriptions: (some Sequence<String>)?) {
    let level = CoreDataInstruments.sqlDebugLevel
    guard level >= 2, let first = firstSelects.withLock({ $0.removeValue(forKey: runtime_thread_number()) }) else {
      return
    }
    var line =
      "fetch using NSSQLiteStatement <0x\(String(first.address, radix: 16))> on entity '\(entity)' with sql text "
      + "'\(first.sql)' returned \(rows) rows"
    if level >= 3, let descriptions {
      let texts = descriptions.map { "    \"\($0.replacingOccurrences(of: "\n", with: "\\n"))\"" }
      line += " with values: (\n\(texts.joined(separator: ",\n"))\n)"
    }
    FrameworkLog.write(.annotation, line)
  }

  /// Logs the result of a count, at level 2 and above.
  package static func logCount(_ request: some AnyFetchRequest, _ entity: String, _ count: Int) {
    guard CoreDataInstruments.sqlDebugLevel >= 2 else { return }
    let predicate = request.predicate.map { "(\(text(of: $0)))" } ?? "(null)"
    let sort = request.sortDescriptors.map { "\($0)" } ?? "(null)"
    let address = String(UInt(bitPattern: ObjectIdentifier(request)), radix: 16)
    FrameworkLog.write(
      .annotation,
      "count request <NSFetchRequest: 0x\(address)> (entity: \(entity); predicate: \(predicate); sortDescriptors: "
        + "(\(sort)); type: NSCountResultType;) returned \(count)")
  }

  /// Returns a predicate as text with its values; without them if it names a secret attribute.
  package static func text(of predicate: NSPredicate) -> String {
    let format = PredicatePrinter.text(of: predicate)
    return SecretAttributes.areNamed(in: format) ? PredicateShape.text(of: predicate) : format
  }
}

/// The lines of `-com.apple.CoreData.MigrationDebug 1`. Apple's own lines are not documented; these are in their manner.
package enum MigrationLog {
  package static var isOn: Bool { LaunchArguments.current.migrationDebug > 0 }

  package static func write(_ text: @autoclosure () -> String) {
    if isOn { FrameworkLog.write(.annotation, "(migration)\t \(text())") }
  }
}
