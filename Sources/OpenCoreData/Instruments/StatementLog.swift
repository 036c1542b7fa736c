import Foundation
import Synchronization

/// The statement log behind `-com.apple.CoreData.SQLDebug 1` and behind tests that assert SQL.
///
/// Every level prints each statement's text; bound values are never printed.
package enum StatementLog {
  /// The level asked for on the command line (`-com.apple.CoreData.SQLDebug N`) or by `COREDATA_SQLDEBUG=N`.
  static let level: Int = {
    let arguments = CommandLine.arguments
    if let flag = arguments.firstIndex(of: "-com.apple.CoreData.SQLDebug"), flag + 1 < arguments.count {
      return Int(arguments[flag + 1]) ?? 0
    }
    return Int(ProcessInfo.processInfo.environment["COREDATA_SQLDEBUG"] ?? "") ?? 0
  }()

  private static let listeners = Mutex<[Int: @Sendable (String) -> Void]>([:])
  private static let listenerCount = Atomic<Int>(0)

  /// Whether anybody wants to see statements; checked before any text is made.
  @inline(__always)
  static var isActive: Bool { level > 0 || listenerCount.load(ordering: .relaxed) > 0 }

  static func record(_ sql: String) {
    if level > 0 { FileHandle.standardError.write(Data("CoreData: sql: \(sql)\n".utf8)) }
    for listener in listeners.withLock({ Array($0.values) }) { listener(sql) }
  }

  /// Runs `body` and returns the statements that any store of the process ran meanwhile.
  /// - Parameter thisThread: leaves out what other threads run, so that tests may run side by side.
  package static func collect<Result>(
    thisThread: Bool = false, _ body: () throws -> Result
  ) rethrows -> (result: Result, statements: [String]) {
    let box = CollectedStatements()
    let token = listenerCount.wrappingAdd(1, ordering: .relaxed).newValue &+ Int.random(in: 1 << 20..<1 << 40)
    let thread = thisThread ? ObjectIdentifier(Thread.current) : nil
    listeners.withLock {
      $0[token] = { sql in
        if let thread, thread != ObjectIdentifier(Thread.current) { return }
        box.texts.withLock { $0.append(sql) }
      }
    }
    defer {
      listeners.withLock { $0[token] = nil }
      listenerCount.wrappingSubtract(1, ordering: .relaxed)
    }
    let result = try body()
    return (result, box.texts.withLock { $0 })
  }
}

private final class CollectedStatements: Sendable {
  let texts = Mutex<[String]>([])
}
