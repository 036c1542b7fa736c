import Foundation
import Hummingbird
import Testing

@testable import StudioServer

/// One object with all its values.
@Suite struct ObjectPageTests {
  @Test func typesAreInTheWordsOfTheModelEditor() async throws {
    let store = try SampleStore(people: 3)
    try await Visitor.visit(.of(store.url)) { visitor in
      let page = try await visitor.get("/stores/People.sqlite/objects/Person/p1").text
      for type in ["String", "Integer 32", "Date", "Binary Data"] { #expect(page.contains(type), "\(type)") }
      #expect(!page.contains("rawValue"))
    }
  }
}
