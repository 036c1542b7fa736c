import Foundation

// Runs operations in a process that is killed at a call.
extension FaultCases {
  /// Runs an operation in a process that is killed at a call, and, where the state is not the new one, once more in this
  /// process.
  /// - Returns: the state that the killed process has left, and all problems.
  func runKilled(_ name: String, _ fault: Fault) throws -> (outcome: String, problems: [String]) {
    let known = try learn(name)
    guard let operation = operations[name] else { throw CocoaError(.coreData) }
    return try inCopy(of: known.template, operation) { operation in
      var problems: [String] = []
      let isKilled = try self.isKilled(operation, fault)
      let text = state(operation, "after the kill", true, &problems)
      let isNew = text == known.new
      if !isNew, text != known.old, !known.between.contains(text) {
        problems.append("after the kill the state is neither old nor new:\n\(text)")
      }
      if !isNew || operation.isRepeatable {
        do { try operation.begin() } catch { problems.append("the second beginning: \(error)") }
        let work = text == known.old ? operation.run : operation.goOn
        // A program may say that there is nothing left to do.
        if let error = shim.run(nil, work).error, !isNew { problems.append("the second try: \(error)") }
        do { try operation.end() } catch { problems.append("the second end: \(error)") }
      }
      // The first opening an hour later removes what a mark tells of, and any opening what is in a working folder.
      for store in operation.stores { store.removeWhatIsLeft() }
      let last = state(operation, "after the second try", false, &problems)
      if last != known.new { problems.append("after the second try the state is not the new one:\n\(last)") }
      for file in try Self.files(operation.folder).subtracting(known.files).sorted().reversed() {
        // The next save removes a journal that is not needed any more. Empty folders of values may stay.
        let path = operation.folder.appendingPathComponent(file).path
        if file.hasSuffix("-journal") || file.contains("_SUPPORT") && rmdir(path) == 0 { continue }
        problems.append("left: \(file)")
      }
      return (isKilled ? isNew ? "new" : text == known.old ? "old" : "between" : "not reached", problems)
    }
  }

  /// Runs an operation in another process. Returns whether that process was killed.
  private func isKilled(_ operation: Operation, _ fault: Fault) throws -> Bool {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    process.arguments = [
      base.deletingLastPathComponent().path, operation.folder.path, operation.name, "\(fault.kind)", "\(fault.number)",
    ]
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    let errors = Pipe()
    process.standardError = errors
    try process.run()
    let text = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    if process.terminationReason == .uncaughtSignal, process.terminationStatus == SIGKILL { return true }
    guard process.terminationReason == .exit, process.terminationStatus == 0 else {
      throw Crash(description: "the process ended with \(process.terminationStatus), and was not killed: \(text)")
    }
    return false
  }

  /// Runs an operation on the files in `folder`, in a process of its own that is killed at a call.
  /// - Throws: the error of the operation.
  func runUntilKilled(_ name: String, in folder: URL, _ fault: Fault) throws {
    guard let operation = operations[name] else { throw CocoaError(.coreData) }
    operation.folder = folder
    // An application that has used the store knows its model.
    _ = try operation.text()
    try operation.begin()
    let error = shim.run(fault, operation.run).error
    // A program that does the work has been killed in place of this one.
    if error is Crash { kill(getpid(), SIGKILL) }
    try operation.end()
    if let error { throw error }
  }
}
