import CoreData
import Testing

@_spi(Store) @testable import OpenCoreData

/// Whatever happens, the folder has the files that rows name, and no others.
@Suite struct ExternalRandomTests {
  typealias Fixture = ExternalFixture

  @Test func theFolderFollowsTheRows() throws {
    for seed in RandomSeeds.seeds(4) {
      print("external values: SEED=\(seed)")
      var generator = SeededGenerator(seed: seed)
      let store = try Fixture()
      // By name: what the store must have.
      var expected: [String: [Data?]] = [:]
      for round in 0..<12 {
        expected = try store.inContext { context in
          try change(context, store, round, expected, &generator)
        }
        #expect(try Soak.wait { try store.files() == store.references() }, "seed \(seed), round \(round)")
        let found = try Fixture(at: store.file).inContext { context in
          Dictionary(uniqueKeysWithValues: try context.all("Photo").map { ($0.text("name") ?? "", Self.values($0)) })
        }
        #expect(found == expected, "seed \(seed), round \(round)")
      }
    }
  }

  private static func values(_ photo: NSManagedObject) -> [Data?] {
    ["data", "negative"].map { photo.value(forKey: $0) as? Data }
  }

  /// Some changes and a save, which fails now and then; gives what the store has then.
  private func change(
    _ context: NSManagedObjectContext, _ store: Fixture, _ round: Int, _ before: [String: [Data?]],
    _ generator: inout SeededGenerator
  ) throws -> [String: [Data?]] {
    var photos = try context.all("Photo", sortedBy: "name")
    for number in 0..<Int.random(in: 1...8, using: &generator) {
      switch Int.random(in: 0..<4, using: &generator) {
      case 0:
        let photo = context.make("Photo", ["name": "\(round) \(number)"])
        photos.append(photo)
        photo.setValue(value(&generator), forKey: "data")
        photo.setValue(value(&generator), forKey: "negative")
      case 1 where !photos.isEmpty:
        context.delete(photos.remove(at: Int.random(in: 0..<photos.count, using: &generator)))
      default:
        let key = Bool.random(using: &generator) ? "data" : "negative"
        photos.randomElement(using: &generator)?.setValue(value(&generator), forKey: key)
      }
    }
    switch Int.random(in: 0..<5, using: &generator) {
    case 0:
      guard let twin = photos.first?.text("name") else { break }
      _ = context.make("Picture", ["name": twin, "data": Fixture.large])
      #expect(throws: NSError.self) { try context.save() }
      return before
    case 1:
      guard let photo = photos.first(where: { !$0.isInserted }), photo.text("name") != nil else { break }
      photo.setValue(value(&generator), forKey: "data")
      photo.setValue("changed", forKey: "name")
      _ = try store.sql("UPDATE ZPICTURE SET Z_OPT = Z_OPT + 1")
      #expect(throws: NSError.self) { try context.save() }
      return before
    default: break
    }
    try context.save()
    return Dictionary(uniqueKeysWithValues: photos.map { ($0.text("name") ?? "", Self.values($0)) })
  }

  private func value(_ generator: inout SeededGenerator) -> Data? {
    guard let size = [nil, 0, 1, 38, 5000, 102_400, 102_401, 120_000].randomElement(using: &generator) ?? nil else {
      return nil
    }
    return Fixture.bytes(size, UInt8.random(in: 0...255, using: &generator))
  }
}
