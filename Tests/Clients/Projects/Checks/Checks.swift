import Expect
import Filters
import Formats
import Foundation
import Garden
import InCode
import Journal
import Repository
import Toolkit
import Witnesses

/// Runs what the projects say about themselves: all, or those that are named.
@main @MainActor struct Checks {
  static func main() async throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("Projects-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try await run("Journal") { try await JournalChecks.run(in: folder) }
    try await run("Repository") { try RepositoryChecks.run(in: folder) }
    try await run("Toolkit") { try ToolkitChecks.run(in: folder) }
    try await run("Filters") { try FiltersChecks.run(in: folder) }
    try await run("InCode") { try InCodeChecks.run(in: folder) }
    try await run("Garden") { try GardenChecks.run() }
    try await run("Formats") { try FormatsChecks.run(in: folder) }
    try await run("Witnesses") { try await WitnessesChecks.run() }
    let failures = Expectations.shared.failures
    print(failures == 0 ? "projects passed" : "projects: \(failures) failures")
    if failures > 0 {
      try? FileManager.default.removeItem(at: folder)
      exit(1)
    }
  }

  static func run(_ name: String, _ checks: @MainActor () async throws -> Void) async throws {
    let named = CommandLine.arguments.dropFirst()
    guard named.isEmpty || named.contains(name) else { return }
    let before = Expectations.shared.failures
    do {
      try await checks()
    } catch {
      expect(false)
      print("\(name): \(error)")
    }
    if Expectations.shared.failures > before { print("\(name) failed") }
  }
}
