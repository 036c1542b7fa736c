import CoreData
import Foundation
import Testing

@_spi(Store) @testable import OpenCoreData

/// Processes that are killed at random moments while they change values in files: each value is there, and what is left over
/// goes when it is old enough.
@Suite struct KilledExternalWriterTests {
  private static let seed = SeededGenerator.makeSeed(for: "killed writers of external values")
  /// One store each; some processes in turn die over it.
  private static let stores = 0..<KilledExternalWriter.modes * Soak.factor

  @Test(arguments: stores) func eachValueIsThereAndNothingStays(number: Int) async throws {
    var random = SeededGenerator(seed: Self.seed &+ UInt64(number))
    let store = try ExternalFixture()
    try store.coordinator.remove(store.coordinator.persistentStores[0])
    let path = store.file.path
    var left = 0, values = 0
    for round in 0..<4 {
      let name = "store \(number), round \(round), SEED=\(Self.seed)"
      let seed = random.next(), saves = Int.random(in: 0...6, using: &random)
      let microseconds = Int.random(in: 0...(saves == 0 ? 40_000 : 3000), using: &random)
      // Without a log, a writer waits for whoever reads.
      let reader = number % KilledExternalWriter.modes < 2 && round.isMultiple(of: 2) ? try Reader(store) : nil
      await #expect(processExitsWith: .signal(SIGKILL)) {
        [
          path = path as String, number = number as Int, seed = seed as UInt64, saves = saves as Int,
          microseconds = microseconds as Int,
        ] in
        try KilledExternalWriter.run(path, mode: number, seed: seed, after: saves, microseconds: microseconds)
      }
      try reader?.check(name)
      // As the process has left it. What is young stays, also when a store is opened.
      let before = try ExternalFileReport(storeAt: store.file)
      #expect(before.missing.isEmpty, "\(name)")
      let coordinator = try KilledExternalWriter.open(path, mode: number)
      try KilledExternalWriter.check(coordinator, name)
      let after = try ExternalFileReport(storeAt: store.file)
      #expect(after.missing.isEmpty && after.orphans == before.orphans, "\(name)")
      try coordinator.remove(coordinator.persistentStores[0])
      left += before.orphans.count
      values += before.referenceCount
      if round.isMultiple(of: 2) { continue }
      // Old enough, it goes with the next opening.
      try age(store)
      let again = try KilledExternalWriter.open(path, mode: number)
      try KilledExternalWriter.check(again, name)
      let cleaned = try ExternalFileReport(storeAt: store.file)
      #expect(cleaned.missing.isEmpty && cleaned.orphans.isEmpty && cleaned.foreign.isEmpty, "\(name)")
      #expect(try marks(store) == [], "\(name)")
      try again.remove(again.persistentStores[0])
      #expect(try StoreCheck.errors(store.file) == [], "\(name)")
    }
    print("store \(number): \(values) values were there, \(left) files left over, SEED=\(Self.seed)")
    try FileManager.default.removeItem(at: store.file.deletingLastPathComponent())
  }

  /// Somebody who goes on seeing the store as it is now.
  private struct Reader {
    let store: ExternalFixture
    let connection: SQLiteConnection
    let names: Set<String>

    init(_ store: ExternalFixture) throws {
      self.store = store
      connection = try SQLiteConnection(
        path: store.file.path, readOnly: true, create: false, timeout: 5, pragmas: [])
      try connection.execute("BEGIN")
      names = try ExternalFileReport.names(in: connection)
    }

    func check(_ name: String) throws {
      #expect(names.isSubset(of: store.files()), "\(name)")
      try connection.execute("COMMIT")
    }
  }

  private func marks(_ store: ExternalFixture) throws -> [String] {
    let support = store.folder.deletingLastPathComponent().path
    guard FileManager.default.fileExists(atPath: support) else { return [] }
    return try FileManager.default.contentsOfDirectory(atPath: support).filter(ExternalMark.isName)
  }

  private func age(_ store: ExternalFixture) throws {
    for file in try marks(store).map({ "../\($0)" }) + store.files() {
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSinceNow: -7200)],
        ofItemAtPath: store.folder.appendingPathComponent(file).path)
    }
  }
}
