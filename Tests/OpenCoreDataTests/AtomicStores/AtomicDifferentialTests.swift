import CoreData
import Foundation
import Testing

/// XML, binary and in-memory stores against a SQLite store that has the same objects.
@Suite struct AtomicDifferentialTests {
  private static let formats = [
    "int16 > 0", "int64 < 0 OR flag == YES", "double > 1e10", "text == nil", "text CONTAINS '<'", "decimal > 1000.5",
    "date < CAST(0, 'NSDate')", "parent != nil", "parent.int16 > 0", "ANY children.flag == YES", "likes.@count > 1",
    "steps.@count > 0", "next.previous == self", "address.street != nil", "address.place.latitude > 20",
    "SUBQUERY(likedBy, $x, $x.int32 > 0).@count > 0",
  ]

  private final class Subject {
    let type: String
    let url: URL?
    let model = AtomicModel.make()
    var coordinator: NSPersistentStoreCoordinator
    var context: NSManagedObjectContext

    init(_ type: String, _ url: URL?) throws {
      (self.type, self.url) = (type, url)
      coordinator = try AtomicModel.coordinator(type, url, model)
      context = TestModel.context(coordinator)
    }

    func reopen() throws {
      guard url != nil else { return context.performAndWait { context.reset() } }
      try coordinator.remove(coordinator.persistentStores[0])
      coordinator = try AtomicModel.coordinator(type, url, model, options: [NSValidateXMLStoreOption: true])
      context = TestModel.context(coordinator)
    }
  }

  @Test(arguments: RandomSeeds.seeds(3)) func storesAgree(_ seed: UInt64) throws {
    let folder = try AtomicModel.folder()
    defer { try? FileManager.default.removeItem(at: folder) }
    let subjects = try [NSSQLiteStoreType, NSXMLStoreType, NSBinaryStoreType, NSInMemoryStoreType].map {
      try Subject($0, $0 == NSInMemoryStoreType ? nil : folder.appendingPathComponent("Store.\($0)"))
    }
    var serial: Int64 = 0
    for round in 0..<8 {
      var dumps: [[String]] = [], found: [[[Int64]]] = []
      var serials: [Int64] = []
      for subject in subjects {
        var generator = SeededGenerator(seed: seed &* 1000 &+ UInt64(round))
        var own = serial
        try subject.context.performAndWait {
          try AtomicModel.change(subject.context, &generator, serial: &own)
          try subject.context.save()
        }
        serials.append(own)
        if round % 2 == 1 { try subject.reopen() }
        try subject.context.performAndWait {
          subject.context.refreshAllObjects()
          dumps.append(try AtomicModel.dump(subject.context))
          found.append(
            try Self.formats.map { try AtomicModel.objects("Item", subject.context, $0).map(AtomicModel.serial) })
        }
      }
      serial = serials[0]
      for (index, subject) in subjects.enumerated().dropFirst() {
        #expect(dumps[index] == dumps[0], "\(subject.type), seed \(seed), round \(round)")
        for (format, (own, sqlite)) in zip(Self.formats, zip(found[index], found[0])) {
          #expect(own == sqlite, "\(subject.type): \(format), seed \(seed), round \(round)")
        }
      }
    }
  }
}
