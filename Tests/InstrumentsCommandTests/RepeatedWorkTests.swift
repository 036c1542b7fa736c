import CoreData
import InstrumentsAnalysis
import Testing

@_spi(Store) @testable import OpenCoreData

/// N+1: what is one, and what only looks like one.
@Suite struct RepeatedWorkTests {
  private let list = ["Main.Shop.list()", "Main.Shop.run()"]

  private func findings(
    _ model: NSManagedObjectModel? = nil, _ make: (inout MadeRecording) -> Void
  ) -> [Finding] {
    var made = MadeRecording()
    make(&made)
    // Any store has the model.
    made.add(.count, ["other()"], entity: "Other", sql: "SELECT COUNT(*) FROM ZOTHER t0")
    return RecordingAnalysis(made.recording) { _ in model }.findings
  }

  @Test func aFaultForEachSibling() throws {
    let found = findings { made in
      made.add(.fetch, list, entity: "Author", rows: 12)
      for _ in 0..<12 {
        made.add(
          .relationshipFault, ["Main.Shop.show(_:)"] + list, entity: "Author", owner: "Author", relationship: "books",
          rows: 3)
      }
    }
    #expect(found.count == 1 && found[0].prefetch == ["books"] && found[0].entity == "Author", "\(found)")
    #expect(found[0].count == 12 && found[0].rows == 36 && found[0].caller == "Shop.show(_:)")
    #expect(found[0].advice.hasSuffix("[\"books\"] of the fetch of Author in Shop.list()."), "\(found[0])")
    #expect(abs(found[0].seconds - 0.006) < 1e-9)
  }

  @Test func fewOrLargeOnesAreNone() {
    #expect(
      findings { made in
        made.add(.fetch, list, entity: "Author", rows: 7)
        for _ in 0..<7 {
          made.add(.relationshipFault, list, entity: "Author", owner: "Author", relationship: "books", rows: 1)
        }
      }.isEmpty)
    #expect(
      findings { made in
        made.add(.fetch, list, entity: "Author", rows: 100)
        for _ in 0..<100 {
          made.add(.relationshipFault, list, entity: "Author", owner: "Author", relationship: "books", rows: 21)
        }
      }.isEmpty)
  }

  @Test func whatSomebodyClicksIsNoLoop() {
    let found = findings { made in
      made.add(.fetch, list, entity: "Author", rows: 30)
      for _ in 0..<30 {
        made.pause(2)
        made.add(.relationshipFault, ["Main.Shop.run()"], entity: "Author", owner: "Author", relationship: "books")
      }
    }
    #expect(found.isEmpty, "\(found)")
  }

  @Test func otherThreadsAndFunctionsAreOtherLoops() {
    let found = findings { made in
      made.add(.fetch, list, entity: "Author", rows: 30)
      for place in 0..<30 {
        made.add(
          .relationshipFault, ["f\(place % 5)()"] + list, entity: "Author", owner: "Author", relationship: "books")
      }
      for place in 0..<30 {
        made.add(
          .relationshipFault, list, entity: "Author", owner: "Author", relationship: "books", thread: 2 + place % 5)
      }
    }
    #expect(found.isEmpty, "\(found)")
  }

  /// The publisher of each book of each author: seldom many for one author, but many for the fetch.
  @Test func keyPathsGoFromTheFetchOnwards() throws {
    let found = findings { made in
      made.add(.fetch, list, entity: "Author", rows: 10)
      for _ in 0..<10 {
        made.add(.relationshipFault, list, entity: "Author", owner: "Author", relationship: "books", rows: 30)
        made.add(.objectFault, list, entity: "Book", owner: "Author", relationship: "books", rows: 30)
        for _ in 0..<3 {
          made.add(.objectFault, list, entity: "Publisher", owner: "Book", relationship: "publisher")
        }
      }
    }
    #expect(found.map(\.prefetch) == [["books.publisher"]], "\(found)")
    #expect(found.first?.entity == "Author" && found.first?.count == 30)
  }

  @Test func withoutAFetchTheOwnerIsNamed() {
    let found = findings { made in
      for _ in 0..<10 { made.add(.objectFault, list, entity: "Publisher", owner: "Book", relationship: "publisher") }
    }
    #expect(found.map(\.prefetch) == [["publisher"]] && found.first?.entity == "Book", "\(found)")
    #expect(found.first?.advice.hasSuffix("of the fetch of Book.") == true)
  }

  @Test func faultsWithoutARelationshipAreToBeFetchedTogether() {
    let found = findings { made in
      made.add(.fetchKeys, list, entity: "Author", rows: 40)
      for _ in 0..<40 { made.add(.objectFault, list, entity: "Author") }
    }
    #expect(found.map(\.kind) == [.repeatedFaults] && found.first?.prefetch == nil, "\(found)")
    #expect(found.first?.advice.contains("returnsObjectsAsFaults = false") == true)
  }

  // MARK: Fetches

  @Test func aFetchForEachObjectIsTheInverse() {
    let model = TestLibrary.model()
    let found = findings(model) { made in
      made.add(.fetch, list, entity: "Author", rows: 15)
      for _ in 0..<15 { made.add(.fetch, list, entity: "Book", where: "author == $value", rows: 2) }
    }
    #expect(found.map(\.kind) == [.repeatedFetches] && found.first?.prefetch == ["books"], "\(found)")
    #expect(found.first?.entity == "Author" && found.first?.count == 15)
    #expect(found.first?.title == "Fetch of Book where author == $value in a loop")
  }

  @Test func fetchesOfMembersAreTheRelationship() {
    let found = findings(TestLibrary.model()) { made in
      for _ in 0..<3 {
        made.add(.fetch, list, entity: "Author", rows: 15)
        for _ in 0..<15 {
          // Both by a function of its own.
          made.add(.fetch, ["find()"] + list, entity: "Book", where: "SELF IN $values", rows: 2)
          made.add(.count, ["find()"] + list, entity: "Tag", where: "name CONTAINS $value", rows: 2)
        }
      }
    }
    let books = found.first { $0.prefetch == ["books"] }
    #expect(books?.entity == "Author" && books?.count == 45, "\(found)")
    #expect(found.contains { $0.kind == .repeatedFetches && $0.prefetch == nil && $0.count == 45 }, "\(found)")
  }

  @Test func lookUpsInALoopAreToBeDoneAtOnce() {
    let found = findings { made in
      for _ in 0..<100 { made.add(.fetch, list, entity: "Book", where: "isbn == $value", rows: 1) }
    }
    #expect(found.map(\.kind) == [.repeatedFetches] && found.first?.prefetch == nil, "\(found)")
    #expect(found.first?.advice.contains("“isbn IN %@”") == true)
  }

  @Test func theSameFetchAgainAndAgainIsNone() {
    let found = findings { made in
      made.add(.fetch, list, entity: "Author", rows: 15)
      for _ in 0..<1000 { made.add(.fetch, list, entity: "Book", where: "pages < $value", rows: 2) }
    }
    #expect(found.isEmpty, "\(found)")
  }
}

/// Authors with books.
enum TestLibrary {
  static func model() -> NSManagedObjectModel {
    let author = NSEntityDescription(), book = NSEntityDescription()
    author.name = "Author"
    book.name = "Book"
    let books = NSRelationshipDescription(), back = NSRelationshipDescription()
    (books.name, books.destinationEntity, books.inverseRelationship, books.maxCount) = ("books", book, back, 0)
    (back.name, back.destinationEntity, back.inverseRelationship, back.maxCount) = ("author", author, books, 1)
    author.properties = [books]
    book.properties = [back]
    let model = NSManagedObjectModel()
    model.entities = [author, book]
    return model
  }
}
