import Foundation

/// Runs the program `minimal`, and reports its largest resident memory, and the size of its file without symbols.
func runMinimal(_ store: Store) throws {
  let program = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent().appending(path: "minimal")
  try store.remove(store.scratch)
  let output = try run(program, [store.scratch.path])
  guard let resident = Int(output.trimmingCharacters(in: .whitespacesAndNewlines)) else {
    throw WorkloadError(description: "minimal has printed '\(output)'")
  }
  try store.remove(store.scratch)
  let stripped = store.folder.appending(path: "minimal-stripped")
  defer { try? FileManager.default.removeItem(at: stripped) }
  _ = try run(URL(fileURLWithPath: "/usr/bin/env"), ["strip", "-o", stripped.path, program.path])
  let attributes = try FileManager.default.attributesOfItem(atPath: stripped.path)
  guard let size = attributes[.size] as? Int else { throw WorkloadError(description: "\(stripped.path) has no size") }
  report("minimal-resident", kilobytes: resident)
  report("minimal-stripped", kilobytes: size / 1024)
}

/// Runs a program, and returns its output.
private func run(_ program: URL, _ arguments: [String]) throws -> String {
  let process = Process()
  let output = Pipe()
  process.executableURL = program
  process.arguments = arguments
  process.standardOutput = output
  try process.run()
  let data = output.fileHandleForReading.readDataToEndOfFile()
  process.waitUntilExit()
  guard process.terminationStatus == 0 else {
    throw WorkloadError(description: "\(program.path) \(arguments) ended with \(process.terminationStatus)")
  }
  return String(decoding: data, as: UTF8.self)
}
