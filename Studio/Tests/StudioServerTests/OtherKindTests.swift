import CoreData
import Foundation
import Testing

@testable import StudioServer

/// Stores that are no SQLite files are shown without what only those have.
@Suite struct OtherKindTests {
  /// A trial needs a copy of a SQLite file.
  @Test(arguments: [(NSXMLStoreType, false), (NSSQLiteStoreType, true)])
  func indexesAreTriedWhereTheyCanBe(type: String, canTry: Bool) async throws {
    let store = try SampleStore(people: 30, name: "People.store", type: type, hasHistory: false)
    var settings = StudioSettings.of(store.url)
    settings.models = [try SampleModel.people()]
    try await Visitor.visit(settings) { visitor in
      let page = try await visitor.get("/stores/People.store/entities/Person/explain?where=age%20%3D%3D%203")
      #expect(page.status == .ok, "\(page.text)")
      #expect(page.text.contains("What would this index do?") == canTry, "\(page.text)")
    }
  }

  /// What SQLite would be told is not what happens to an XML file.
  @Test(arguments: [(NSXMLStoreType, false), (NSSQLiteStoreType, true)])
  func aPlanHasTheStatementsOfTheStoresOwnKind(type: String, hasStatements: Bool) async throws {
    let store = try SampleStore(people: 30, name: "People.store", type: type, hasHistory: false)
    var settings = StudioSettings.of(store.url)
    settings.models = [try SampleModel.people()]
    try await Visitor.visit(settings) { visitor in
      let page = try await visitor.get("/stores/People.store/migrate?to=models%2FPeople.xcdatamodeld%2FPeople%202")
      #expect(page.status == .ok && page.text.contains("nickname"), "\(page.text)")
      #expect(page.text.contains("ZNICKNAME") == hasStatements, "\(page.text)")
      #expect(page.text.contains("The statements are those of the store") == !hasStatements)
    }
  }

  /// A store in one file keeps no copy of its model: it is read by a model that was named beside it. It numbers its objects anew
  /// each time it is read, so that no form changes one.
  @Test(arguments: [NSXMLStoreType, NSBinaryStoreType])
  func aStoreIsReadByAModelNamedBesideIt(type: String) async throws {
    let store = try SampleStore(people: 30, name: "People.store", type: type, hasHistory: false)
    let before = try store.contents()
    var settings = StudioSettings.of(store.url, writes: true)
    settings.models = [try SampleModel.people()]
    try await Visitor.visit(settings) { visitor in
      let base = "/stores/People.store"
      for (path, words) in [
        ("", type == NSXMLStoreType ? "XML" : "binary"), ("/entities/Person", "Person 29"),
        ("/entities/Person?where=age%20%3E%2020&sort=-age", "Person 29"), ("/objects/Person/p1", "born"),
        ("/model", "friendOf"), ("/history", "There are no transactions"),
      ] {
        let page = try await visitor.get(base + path)
        #expect(page.status == .ok && page.text.contains(words), "\(path): \(page.status) \(page.text)")
        #expect(!page.text.contains("secret of") && !page.text.contains("/edit\""), "\(path)")
        #expect(!page.text.contains("/new\""), "\(path)")
      }
      let token = try visitor.token(of: try await visitor.get(base))
      for path in ["objects/Person/p1/edit", "objects/Person/p1/delete", "entities/Person/new"] {
        let sent = try await visitor.post("\(base)/\(path)", [("v:name", "New"), ("token", token)], token: token)
        #expect(sent.status == .unprocessableContent && sent.text.contains("store copy"), "\(path): \(sent.text)")
      }
      #expect(try store.contents() == before)
    }
  }

  @Test func withoutItsModelAPageSaysWhatIsMissing() async throws {
    let store = try SampleStore(people: 3, name: "People.store", type: NSXMLStoreType, hasHistory: false)
    var settings = StudioSettings.of(store.url)
    let other = try SampleModel.write("Other.xcdatamodeld", in: store.folder, [("Other", SampleModel.dangerous)])
    for (models, words) in [([], "Name its model"), ([other], "None of the models that were given has them")] {
      settings.models = models
      try await Visitor.visit(settings) { visitor in
        for path in ["", "/entities/Person", "/objects/Person/p1"] {
          let page = try await visitor.get("/stores/People.store" + path)
          #expect(page.status != .ok && page.text.contains("has the entities Person"), "\(page.text)")
          #expect(page.text.contains(words), "\(page.text)")
        }
      }
    }
  }
}
