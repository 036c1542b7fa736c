import CoreData
import Foundation
import Testing

@testable import StudioServer

/// Members of ordered relationships are put into another order by the places that a form gives them.
@Suite struct MemberOrderTests {
  private static func references(_ numbers: [Int]) -> [EditReference] {
    numbers.compactMap { EditReference("Book/p\($0)") }
  }

  /// One that is moved takes the place that was typed, whether it comes from above or from below.
  @Test(
    arguments: [
      (["1", "2", "3", "4"], nil), (["1", "2", "1", "4"], [3, 1, 2, 4]), (["4", "2", "3", "4"], [2, 3, 4, 1]),
      ([" 3 ", "2", "3", "4"], [2, 3, 1, 4]), (["4", "3", "2", "1"], [4, 3, 2, 1]),
      (["9", "2", "3", "4"], [2, 3, 4, 1]),
    ] as [([String], [Int]?)])
  func placesAreAnOrder(places: [String], expected: [Int]?) throws {
    let order = try MemberOrder("books", shown: Self.references([1, 2, 3, 4]), places: places)
    #expect(order?.wanted == expected.map(Self.references))
  }

  @Test(arguments: ["0", "-1", "two", ""])
  func otherThanAPlaceIsAMistake(text: String) {
    #expect(throws: FieldMistake.self) {
      try MemberOrder("books", shown: Self.references([1, 2]), places: ["1", text])
    }
  }

  private static let titles = ["Book 1.1", "Book 1.2", "Third", "Fourth"]

  /// The first author with four books.
  private func author(_ visit: EditVisit) throws -> String {
    try visit.store.write { context in
      let author = try #require(try LibraryStore.book("Book 1.1", context)?.value(forKey: "author") as? NSManagedObject)
      for title in ["Third", "Fourth"] { _ = LibraryStore.make("Book", ["title": title, "author": author], context) }
      let books = try Self.titles.map { try #require(try LibraryStore.book($0, context)) }
      author.setValue(NSOrderedSet(array: books), forKey: "books")
    }
    return try visit.store.with { context in
      let author = try LibraryStore.book("Book 1.1", context)?.value(forKey: "author") as? NSManagedObject
      let path = try #require(author?.objectID.uriRepresentation().path)
      return "/stores/Library.sqlite/objects\(path)/edit"
    }
  }

  private func order(_ visit: EditVisit) throws -> [String] {
    try visit.store.with { context in
      let author = try LibraryStore.book("Book 1.1", context)?.value(forKey: "author") as? NSManagedObject
      let books = author?.mutableOrderedSetValue(forKey: "books").array as? [NSManagedObject] ?? []
      return books.compactMap { $0.value(forKey: "title") as? String }
    }
  }

  /// Fills in the places of a page, in their order, and sends its form.
  private func send(
    _ places: [String], _ page: Visitor.Answer, to path: String, _ visit: EditVisit
  ) async throws -> Visitor.Answer {
    var rest = places[...]
    let fields = try visit.fields(page).map { name, value in
      name == "p:books" ? (name, rest.popFirst() ?? value) : (name, value)
    }
    return try await visit.visitor.post(path, fields, token: nil)
  }

  @Test func theOrderIsSaved() async throws {
    try await EditVisit.visit { visit in
      let path = try author(visit)
      let page = try await visit.visitor.get(path)
      #expect(page.text.matches(of: /name="p:books"/).count == 4, "\(page.text)")
      // Sent as it is, nothing changes.
      #expect(try await send([], page, to: path, visit).status == .seeOther)
      #expect(try await visit.visitor.get(EditVisit.changes).text.contains("There are no unsaved changes"))
      let answer = try await send(["1", "2", "3", "1"], page, to: path, visit)
      #expect(answer.status == .seeOther, "\(answer.text)")
      _ = try await visit.act("save")
      #expect(try order(visit) == ["Fourth", "Book 1.1", "Book 1.2", "Third"])
    }
  }

  @Test func aMistakeAndAnOrderOfMeanwhileAreToldBesideTheField() async throws {
    try await EditVisit.visit { visit in
      let path = try author(visit)
      let page = try await visit.visitor.get(path)
      let mistaken = try await send(["1", "last", "3", "4"], page, to: path, visit)
      #expect(mistaken.status == .unprocessableContent && mistaken.text.contains("Expected places from 1 to 4"))
      #expect(mistaken.text.contains("name=\"p:books\" value=\"last\""), "\(mistaken.text)")
      #expect(try await send(["2", "1", "3", "4"], page, to: path, visit).status == .seeOther)
      // The page is an old one now.
      let old = try await send(["1", "2", "4", "3"], page, to: path, visit)
      #expect(old.status == .unprocessableContent && old.text.contains("Meanwhile somebody else"), "\(old.text)")
      _ = try await visit.act("save")
      #expect(try order(visit) == ["Book 1.2", "Book 1.1", "Third", "Fourth"])
    }
  }
}
