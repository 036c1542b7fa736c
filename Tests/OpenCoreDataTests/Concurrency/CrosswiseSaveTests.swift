import CoreData
import Testing

@_spi(Store) @testable import OpenCoreData

/// Children that save, while the thread that has their parent wants them.
@Suite struct CrosswiseSaveTests {
  /// Whichever thread is acted for, its save is whole: the other's comes before it, or after it.
  @Test(arguments: TestStore.all) func aParentsThreadSavesTheChildThatIsAboutToSave(_ store: TestStore) throws {
    let parent = TestModel.context(try store.coordinator(TestModel.library()))
    let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    child.parent = parent
    let rounds = 60 * Soak.factor
    Soak.threads(2) { number in
      for round in 0..<rounds {
        if number == 0 {
          try child.performAndWait {
            for copy in 0..<5 { _ = child.make("Author", ["name": "child \(round) \(copy)"]) }
            try child.save()
          }
        } else {
          try parent.performAndWait {
            try child.performAndWait {
              _ = child.make("Author", ["name": "parent \(round)"])
              try child.save()
            }
          }
        }
      }
    }
    #expect(child.performAndWait { !child.hasChanges })
    try parent.performAndWait {
      #expect(parent.insertedObjects.count == 6 * rounds)
      try parent.save()
      #expect(Set(try parent.all("Author").map { $0.value(forKey: "name") as? String }).count == 6 * rounds)
    }
  }
}
