import CoreData
import Foundation
import Testing

@_spi(Store) @testable import OpenCoreData

/// Random damage to a small store: it opens and reads, or throws; it never stops the program, and never keeps it forever.
@Suite struct DamagedStoreTests {
  private static let seed = SeededGenerator.makeSeed(for: "damaged stores")
  private static let batches = 0..<3 * Soak.factor
  private static let perBatch = 30

  private static let models = [TestModel.library, Society.model, DamagedStore.albums]

  private enum Damage: Int, Codable { case bytes, values }

  /// A process of its own damages and uses a batch of stores, and notes which one it is at.
  private static func run(_ damage: Damage, _ batch: Int, _ seed: UInt64, _ path: String, only: Int? = nil) throws {
    alarm(240)
    let base = URL(fileURLWithPath: path), model = models[batch % 3]()
    let note = open(path + ".at", O_WRONLY | O_CREAT, 0o644)
    try DamagedStore.make(base, model)
    let bytes = try Data(contentsOf: base)
    for number in only.map({ $0...$0 }) ?? 0...perBatch - 1 {
      var at = Int64(number)
      pwrite(note, &at, 8, 0)
      let file = base.deletingLastPathComponent().appendingPathComponent("Damaged.sqlite")
      for suffix in ["", "-wal", "-shm", "-journal"] { unlink(file.path + suffix) }
      var store = DamagedStore(
        random: SeededGenerator(seed: seed &+ UInt64(batch * 100_000 + number)), file: file, model: model,
        isVerbose: only != nil)
      try bytes.write(to: file)
      switch damage {
      case .bytes: try store.damageBytes(bytes)
      case .values: try store.damageValues()
      }
      store.use()
    }
  }

  private func run(_ damage: Damage, _ batch: Int) async throws {
    let path = try TestModel.temporaryFile().path
    let result = await #expect(processExitsWith: .success) {
      [path = path as String, damage = damage as Damage, batch = batch as Int, seed = Self.seed as UInt64] in
      try Self.run(damage, batch, seed, path)
    }
    guard result?.exitStatus != .exitCode(0) else { return }
    let at = try Data(contentsOf: URL(fileURLWithPath: path + ".at")).withUnsafeBytes {
      $0.loadUnaligned(as: Int64.self)
    }
    Issue.record("SEED=\(Self.seed) DAMAGED=\(damage.rawValue),\(batch),\(at) repeats this one")
  }

  @Test(arguments: batches) func bytes(batch: Int) async throws { try await run(.bytes, batch) }

  @Test(arguments: batches) func values(batch: Int) async throws { try await run(.values, batch) }

  private static let repeated = ProcessInfo.processInfo.environment["DAMAGED"]?.split(separator: ",").compactMap {
    Int($0)
  }

  /// One store in this process, where a debugger sees it.
  @Test(.enabled(if: repeated != nil, "repeats one of the others")) func again() throws {
    let place = try #require(Self.repeated)
    let damage = try #require(Damage(rawValue: place[0]))
    try Self.run(damage, place[1], Self.seed, TestModel.temporaryFile().path, only: place[2])
  }
}
