import CoreData
import Synchronization
import Testing

@_spi(Store) @testable import OpenCoreData

/// Contexts that read beside one that saves.
@Suite struct ReadersAndWriterTests {
  /// Every save adds an author with one book and sets the pages of all books to the number of the save: a reader sees
  /// whole saves, and never goes back.
  @Test func readersSeeWholeCommitsOnly() throws {
    let coordinator = try TestModel.coordinator(TestModel.library(), url: try TestModel.temporaryFile())
    // A thread that waits for the processor must not lose its transaction, or it may see two saves.
    (coordinator.persistentStores.first as? SQLiteStore)?.readers.idleNanoseconds = .max
    let saves = 25 * Soak.factor
    let isDone = Atomic(false)
    let reads = Atomic(0)
    Soak.threads(5) { number in
      let context = TestModel.context(coordinator)
      if number == 0 {
        defer { isDone.store(true, ordering: .releasing) }
        for save in 1...saves {
          try context.performAndWait {
            let author = context.make("Author", ["name": "A\(save)", "age": save % 1000])
            _ = context.make("Book", ["title": "B\(save)", "author": author])
            for book in try context.all("Book") { book.setValue(save, forKey: "pages") }
            try context.save()
          }
        }
        return
      }
      var last = 0
      while !isDone.load(ordering: .acquiring) {
        try context.performAndWait {
          if number == 4 { context.reset() } else { context.refreshAllObjects() }
          let books = try context.all("Book")
          let pages = Set(books.compactMap { $0.value(forKey: "pages") as? Int })
          #expect(pages.count <= 1, "books of several saves: \(pages)")
          #expect(pages.first ?? 0 == books.count, "the books are not those of save \(pages)")
          #expect(books.count >= last, "went back from \(last) to \(books.count)")
          last = books.count
          // The transaction of the fetch goes on: what the books lead to is of the same save.
          for book in books {
            #expect((book.value(forKey: "author") as? NSManagedObject)?.value(forKey: "name") != nil)
          }
          #expect(try context.all("Author").count >= books.count)
        }
        reads.wrappingAdd(1, ordering: .relaxed)
      }
    }
    #expect(reads.load(ordering: .relaxed) > 0)
    let context = TestModel.context(coordinator)
    #expect(try context.performAndWait { try context.all("Author").count } == saves)
  }

  /// Several contexts change the same row: those that come late are told, and no change is lost or cached wrongly.
  @Test(arguments: TestStore.all) func writersOfOneRowConflictAndNothingIsLost(_ store: TestStore) throws {
    let coordinator = try store.coordinator(TestModel.library())
    let first = TestModel.context(coordinator)
    let id = try first.performAndWait {
      let author = first.make("Author", ["name": "counter", "age": 0])
      try first.save()
      return author.objectID
    }
    let rounds = 20 * Soak.factor
    Soak.threads(4) { _ in
      let context = TestModel.context(coordinator)
      for _ in 0..<rounds {
        var isSaved = false
        while !isSaved {
          try context.performAndWait {
            let author = try context.existingObject(with: id)
            context.refresh(author, mergeChanges: false)
            author.setValue((author.value(forKey: "age") as? Int ?? -1) + 1, forKey: "age")
            do {
              try context.save()
              isSaved = true
            } catch {
              #expect((error as NSError).code == NSManagedObjectMergeError)
              context.rollback()
            }
          }
        }
      }
    }
    let last = TestModel.context(coordinator)
    let age = try last.performAndWait { try last.existingObject(with: id).value(forKey: "age") as? Int }
    #expect(age == 4 * rounds)
    let cached = TestModel.context(coordinator)
    #expect(try cached.performAndWait { try cached.all("Author").first?.value(forKey: "age") as? Int } == age)
  }

  /// More contexts than connections, each in the middle of reading: they lend each other what they do not use.
  @Test(arguments: TestStore.all) func moreContextsThanConnections(_ store: TestStore) throws {
    let coordinator = try store.coordinator(TestModel.library())
    let writer = TestModel.context(coordinator)
    try writer.performAndWait {
      for number in 0..<100 { _ = writer.make("Author", ["name": "A\(number)"]) }
      try writer.save()
    }
    Soak.threads(24) { _ in
      for _ in 0..<5 * Soak.factor {
        let context = TestModel.context(coordinator)
        context.faultBatchSize = 7
        try context.performAndWait {
          coordinator.emptyRowCache()
          let authors = try context.all("Author")
          #expect(authors.count == 100)
          for author in authors { #expect(author.value(forKey: "name") is String) }
        }
      }
    }
  }

  /// Contexts that sit in the middle of a block on purpose hold all connections; one more still gets its turn.
  @Test(arguments: TestStore.all) func contextsThatSitStillLendTheirConnection(_ store: TestStore) throws {
    let coordinator = try store.coordinator(TestModel.library())
    let writer = TestModel.context(coordinator)
    try writer.performAndWait {
      _ = writer.make("Author", ["name": "Ann"])
      try writer.save()
    }
    let contexts = (0..<30).map { _ in TestModel.context(coordinator) }
    func nested(_ index: Int) throws {
      guard index < contexts.count else { return }
      try contexts[index].performAndWait {
        #expect(try contexts[index].all("Author").count == 1)
        try nested(index + 1)
        #expect(try contexts[index].all("Author").first?.value(forKey: "name") as? String == "Ann")
      }
    }
    try nested(0)
  }
}
