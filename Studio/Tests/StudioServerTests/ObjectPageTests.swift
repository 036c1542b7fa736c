import CoreData
import Foundation
import HTTPTypes
import Hummingbird
import Testing

@testable import StudioServer

/// One object with all its values.
@Suite struct ObjectPageTests {
  private static let person = "/stores/People.sqlite/objects/Person/p1"

  @Test func typesAreInTheWordsOfTheModelEditor() async throws {
    let store = try SampleStore(people: 3)
    try await Visitor.visit(.of(store.url)) { visitor in
      let page = try await visitor.get(Self.person).text
      for type in ["String", "Integer 32", "Date", "Binary Data"] { #expect(page.contains(type), "\(type)") }
      #expect(!page.contains("rawValue"))
    }
  }

  @Test func aPictureIsShownAndOtherBytesAreAFile() async throws {
    let store = try LibraryStore()
    let text = Data("<html><script>alert(1)</script>".utf8)
    try store.write { context in
      try LibraryStore.book("Book 1.1", context)?.setValue(SampleStore.picture, forKey: "cover")
      try LibraryStore.book("Book 1.2", context)?.setValue(text, forKey: "cover")
    }
    let (picture, other) = try (store.path(of: "Book 1.1"), store.path(of: "Book 1.2"))
    try await Visitor.visit(.of(store.url)) { visitor in
      let base = "/stores/Library.sqlite/objects/"
      let page = try await visitor.get(base + picture)
      #expect(page.text.contains("<img") && page.text.contains("src=\"\(base)\(picture)/data/cover\""), "\(page.text)")
      #expect(page.text.contains("89 50 4e 47"))
      let shown = try await visitor.get(base + picture + "/data/cover")
      #expect(shown.status == .ok && shown.headers[.contentType] == "image/png")
      // A browser must not take what looks like a page for one.
      let page2 = try await visitor.get(base + other)
      #expect(!page2.text.contains("<img") && page2.text.contains("3c 68 74 6d 6c"))
      let kept = try await visitor.get(base + other + "/data/cover")
      #expect(
        kept.headers[.contentType] == "application/octet-stream" && kept.headers[.contentDisposition] == "attachment")
      #expect(kept.text == String(decoding: text, as: UTF8.self))
    }
  }

  @Test func transformablesAreDecodedWithinTheSafeList() async throws {
    let store = try LibraryStore()
    try store.write { context in
      let notes: [String: Any] = ["shelf": "left <b>", "row": 7]
      try LibraryStore.book("Book 1.1", context)?.setValue(notes as NSDictionary, forKey: "notes")
    }
    let path = "/stores/Library.sqlite/objects/" + (try store.path(of: "Book 1.1"))
    try await Visitor.visit(.of(store.url)) { visitor in
      let page = try await visitor.get(path)
      #expect(page.text.contains("shelf") && page.text.contains("left &lt;b&gt;"), "\(page.text)")
      #expect(!page.text.contains("left <b>"))
    }
  }

  @Test func whatIsNotOnTheSafeListIsNamedAndNotMade() throws {
    let attribute = NSAttributeDescription()
    attribute.attributeType = .transformableAttributeType
    attribute.valueTransformerName = "ColourTransformer"
    #expect(TransformedText.text(of: Data([1, 2]), attribute).contains("ColourTransformer"))
    attribute.valueTransformerName = nil
    #expect(TransformedText.text(of: Data([1, 2]), attribute).contains("not on the list of safe ones, or is damaged"))
  }

  @Test func manyMembersAreShownInPages() async throws {
    let store = try LibraryStore()
    try store.write { context in
      let author = try #require(try LibraryStore.book("Book 1.1", context)?.value(forKey: "author") as? NSManagedObject)
      for number in 1...248 {
        _ = LibraryStore.make("Book", ["title": "Volume \(number)", "author": author], context)
      }
    }
    let author = try store.with { context in
      let author = try LibraryStore.book("Book 1.1", context)?.value(forKey: "author") as? NSManagedObject
      return String(author?.objectID.uriRepresentation().path.dropFirst() ?? "")
    }
    try await Visitor.visit(.of(store.url)) { visitor in
      var path = "/stores/Library.sqlite/objects/\(author)/members/books"
      var seen: [String] = []
      var pages = 0
      while true {
        let page = try await visitor.get(path)
        #expect(page.status == .ok && page.text.contains("250 objects"), "\(page.text)")
        seen += page.text.matches(of: /objects\/(Book\/p\d+)"/).map { String($0.1) }
        pages += 1
        guard let next = page.text.firstMatch(of: /href="([^"]+)"[^>]*>Next/)?.1 else { break }
        path = EditVisit.unescaped(String(next))
        try #require(pages < 10)
      }
      #expect(pages == 3 && seen.count == 250 && Set(seen).count == 250, "\(pages) \(seen.count)")
    }
  }

  @Test func whatPointsToAnObjectAndWhereItHasBeenAreLinks() async throws {
    let store = try SampleStore(people: 3)
    try await Visitor.visit(.of(store.url)) { visitor in
      let object = try await visitor.get(Self.person)
      // The second person has the first one as a friend.
      let referrers = try await visitor.get(Self.person + "/referrers")
      #expect(
        referrers.text.contains("Person.friend") && referrers.text.contains("objects/Person/p2\""), "\(referrers.text)")
      #expect(object.text.contains("insert"), "\(object.text)")
    }
  }
}
