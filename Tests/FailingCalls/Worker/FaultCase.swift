import CoreData
import Foundation

/// Runs operations under faults, each time on a copy of the operation's initial state.
final class FaultCases {
  let base: URL
  let shim: Shim
  let operations: [String: Operation]
  let names: [String]
  private var known: [String: Known] = [:]
  private var number = 0

  /// The results of an operation without faults.
  struct Known {
    let template: URL
    let old: String
    let new: String
    let between: Set<String>
    let files: Set<String>
    let counts: [Int]
  }

  init(in base: URL, _ shim: Shim, _ operations: [Operation]) {
    self.base = base
    self.shim = shim
    names = operations.map(\.name)
    self.operations = Dictionary(uniqueKeysWithValues: operations.map { ($0.name, $0) })
  }

  /// Returns the number of calls of each kind that an operation makes.
  func counts(of name: String) throws -> [Int] { try learn(name).counts }

  func learn(_ name: String) throws -> Known {
    if let known = known[name] { return known }
    guard let operation = operations[name] else { throw CocoaError(.coreData) }
    let template = base.appendingPathComponent("template-\(name)")
    try FileManager.default.createDirectory(at: template, withIntermediateDirectories: true)
    operation.folder = template
    try operation.prepare()
    let old = try inCopy(of: template, operation) { try $0.text() }
    let between = try operation.stages.indices.map { index in
      try inCopy(of: template, operation) { operation in
        try operation.stages[index]()
        return try operation.text()
      }
    }
    let found = try inCopy(of: template, operation) { operation in
      try operation.begin()
      let outcome = shim.run(nil, operation.run)
      if let error = outcome.error { throw error }
      try operation.end()
      let text = try operation.text()
      return Known(
        template: template, old: old, new: text, between: Set(between + operation.otherTexts),
        files: try Self.files(operation.folder),
        counts: outcome.counts)
    }
    known[name] = found
    return found
  }

  func inCopy<Result>(of template: URL, _ operation: Operation, _ body: (Operation) throws -> Result) throws
    -> Result
  {
    number += 1
    let folder = base.appendingPathComponent("case-\(number)")
    try FileManager.default.copyItem(at: template, to: folder)
    defer { try? FileManager.default.removeItem(at: folder) }
    operation.folder = folder
    return try body(operation)
  }

  /// Returns the names of all files, except those that are a UUID: the files of external values.
  static func files(_ folder: URL) throws -> Set<String> {
    let names = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
    return Set(names.filter { UUID(uuidString: ($0 as NSString).lastPathComponent) == nil })
  }

  /// Runs an operation under a fault, and, where that is needed, once more without faults.
  /// - Returns: the outcome of the run under the fault, and all problems.
  func run(_ name: String, _ fault: Fault) throws -> (outcome: String, problems: [String]) {
    let known = try learn(name)
    guard let operation = operations[name] else { throw CocoaError(.coreData) }
    return try inCopy(of: known.template, operation) { operation in
      var problems: [String] = []
      try operation.begin()
      let outcome = shim.run(fault, operation.run)
      let text = state(operation, "after the fault", true, &problems)
      let isNew = text == known.new
      if let error = outcome.error {
        if let crash = error as? Crash { problems.append(crash.description) }
        if !isNew, text != known.old, !known.between.contains(text) {
          problems.append("after \(error) the state is neither old nor new:\n\(text)")
        }
        if !(error is ToolOperation.Failure), (error as NSError).domain != NSCocoaErrorDomain {
          problems.append("an error of another domain: \(error)")
        }
      } else if !isNew {
        problems.append("it returned, and the state is not the new one:\n\(text)")
      }
      // An operation that has succeeded is not repeated, because some operations would add the same objects again.
      if !isNew || outcome.error != nil && operation.isRepeatable,
        let error = shim.run(nil, operation.run).error
      {
        problems.append("the second try: \(error)")
      }
      do { try operation.end() } catch { problems.append("the end: \(error)") }
      // Files of values that could not be removed yet have a mark, by which the first opening an hour later removes them.
      for store in operation.stores { store.removeMarkedFiles() }
      // After some faults the state of the disk is unknown, or files cannot be removed, for example from a folder that cannot be
      // opened. Then files of values may be left over, but none may be missing.
      let mayLeaveValues = fault.mode.error == EIO || [.open, .fsync].contains(fault.kind)
      let last = state(operation, "after the second try", mayLeaveValues, &problems)
      if last != known.new { problems.append("after the second try the state is not the new one:\n\(last)") }
      if let file = shim.openFile() { problems.append("open: \(file)") }
      // A file that cannot be removed stays until the store is opened again. So does a log that SQLite cannot finish when it
      // closes the database.
      let mayLeaveLog = outcome.error == nil
      for file in try Self.files(operation.folder).subtracting(known.files).sorted() where fault.kind != .unlink {
        if mayLeaveLog, ["-wal", "-shm", "-journal"].contains(where: file.hasSuffix) { continue }
        problems.append("left: \(file)")
      }
      let result = outcome.error.map(Self.text) ?? "success"
      return (outcome.failed == 0 ? "not reached" : "\(result), \(isNew ? "new" : "old")", problems)
    }
  }

  private static func text(_ error: any Error) -> String {
    if let failure = error as? ToolOperation.Failure { return failure.description }
    return "error \((error as NSError).code) (\((error as NSError).localizedDescription))"
  }

  func state(
    _ operation: Operation, _ when: String, _ mayLeaveValues: Bool, _ problems: inout [String]
  ) -> String {
    for store in operation.stores {
      problems += store.problems(orphans: !mayLeaveValues).map { "\(when) \(store.url.lastPathComponent) \($0)" }
    }
    do { return try operation.text() } catch {
      problems.append("\(when) it cannot be read: \(error)")
      return "unreadable"
    }
  }
}
