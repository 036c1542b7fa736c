import Foundation

/// This program, started once more.
struct OwnProgram {
  /// The status with which it ended, not 0 if it failed or was stopped.
  let status: Int32
  let output: Data
  /// What it wrote to the standard error, if that was asked for.
  let errors: String

  /// - Parameters:
  ///   - arguments: The program's arguments.
  ///   - keepsErrors: Whether the standard error is kept in `errors`, in place of the output. Else it goes where this program's
  ///     goes.
  /// - Throws: The errors of starting it.
  init(_ arguments: [String], keepsErrors: Bool = false) throws {
    let process = Process(), pipe = Pipe()
    process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    process.arguments = arguments
    // A program that is stopped on purpose need not say where it was.
    process.environment = ProcessInfo.processInfo.environment.merging(["SWIFT_BACKTRACE": "enable=no"]) { $1 }
    process.standardOutput = keepsErrors ? FileHandle.nullDevice : pipe
    if keepsErrors { process.standardError = pipe }
    try process.run()
    let data = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    status = process.terminationStatus
    output = keepsErrors ? Data() : data
    errors = keepsErrors ? String(decoding: data, as: UTF8.self) : ""
  }
}
