import CommandSupport
import CoreData
import Foundation
import Testing
import WebStore

@testable import StudioServer

/// The objects of a web service are shown by a copy, which follows what others save.
@Suite struct WebStorePageTests {
  private func visit(
    _ place: ((SampleService) throws -> URL)? = nil,
    _ body: @escaping @Sendable (Visitor, SampleService) async throws -> Void
  ) async throws {
    let models = [try SampleModel.people()]
    nonisolated(unsafe) let place = place  // used before this function returns
    try await SampleService.run { service in
      var settings = StudioSettings.of(try place?(service) ?? service.url, writes: true)
      settings.models = models
      try await Visitor.visit(settings) { try await body($0, service) }
    }
  }

  @Test func everyPageIsShownAndNoneChangesAnObject() async throws {
    try await visit { visitor, service in
      for (path, words) in [
        ("", "web service"), ("/entities/Person", "Person 29"),
        ("/entities/Person?where=age%20%3E%2020&sort=-age", "Person 29"),
        ("/entities/Person?columns=name,friend.name,friendOf.@count", "Person 28"),
        ("/entities/Person/objects.csv", "Person 29"), ("/objects/Person/p1", "born"), ("/model", "friendOf"),
        ("/history", "There are no transactions"),
      ] {
        let page = try await visitor.get(service.page + path)
        #expect(page.status == .ok && page.text.contains(words), "\(path): \(page.status) \(page.text)")
        #expect(!page.text.contains("secret of") && !page.text.contains("/edit\""), "\(path)")
        #expect(!page.text.contains("/new\"") && !page.text.contains(WebIncrementalStore.stateKey), "\(path)")
      }
      let token = try visitor.token(of: try await visitor.get(service.page))
      for path in ["objects/Person/p1/edit", "objects/Person/p1/delete", "entities/Person/new"] {
        let sent = try await visitor.post("\(service.page)/\(path)", [("v:name", "New")], token: token)
        #expect(sent.status == .unprocessableContent && sent.text.contains("of a web service"), "\(path): \(sent.text)")
      }
      let plan = try await visitor.get(service.page + "/migrate?to=models%2FPeople.xcdatamodeld%2FPeople%202")
      #expect(plan.text.contains("migrated where it runs"), "\(plan.text)")
      let verified = try await visitor.result(of: visitor.post("\(service.page)/verify", [], token: token))
      #expect(verified.text.contains("one in a PostgreSQL server can be checked"), "\(verified.text)")
    }
  }

  /// By the service, and by a program that writes its file.
  @Test func whatOthersSaveIsOnTheNextPage() async throws {
    try await visit { visitor, service in
      let list = service.page + "/entities/Person"
      #expect(try await !visitor.get(list).text.contains("Ada"))
      try await service.add("Ada")
      #expect(try await visitor.get(list).text.contains("Ada"))
      try service.store.write { context in
        NSEntityDescription.insertNewObject(forEntityName: "Person", into: context).setValue("Grace", forKey: "name")
      }
      #expect(try await visitor.get(list).text.contains("Grace"))
    }
  }

  @Test func pagesAtTheSameTimeShareOneCopy() async throws {
    try await visit { visitor, service in
      let list = service.page + "/entities/Person"
      _ = try await visitor.get(list)
      let one = service.asked
      #expect(one > 0)
      _ = try await visitor.get(list)
      #expect(service.asked == one)
      try service.store.write { context in
        try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Person")).first?.setValue(
          "Grace", forKey: "name")
      }
      try await withThrowingTaskGroup(of: Bool.self) { group in
        for _ in 0..<12 { group.addTask { try await visitor.get(list).text.contains("Grace") } }
        for try await hasGrace in group { #expect(hasGrace) }
      }
      #expect(service.asked == 2 * one)
    }
  }

  @Test func aServiceThatIsAwayIsSaid() async throws {
    try await visit { visitor, service in
      #expect(try await visitor.get(service.page).status == .ok)
      try await service.stop()
      for path in ["", "/entities/Person", "/objects/Person/p1"] {
        let page = try await visitor.get(service.page + path)
        #expect(page.status == .internalServerError, "\(path): \(page.text)")
        #expect(
          page.text.contains("The service at http://127.0.0.1:\(service.port)/ cannot be reached"), "\(page.text)")
      }
    }
  }

  @Test func noPasswordAndNoKeyIsShown() async throws {
    try await visit({ try #require(URL(string: "http://me:geheim@127.0.0.1:\($0.port)/?key=geheim")) }) {
      visitor, service in
      for path in ["", "/entities/Person", "/objects/Person/p1", "/model"] {
        let page = try await visitor.get(service.page + path)
        #expect(page.status == .ok && !page.text.contains("geheim"), "\(path): \(page.text)")
      }
      try await service.stop()
      let page = try await visitor.get(service.page)
      #expect(page.text.contains("cannot be reached") && !page.text.contains("geheim"), "\(page.text)")
    }
  }

  @Test func aURLIsAStore() throws {
    var settings = StudioSettings.of()
    for name in ["http://127.0.0.1:8080/", "HTTPS://shop.example/books"] { try settings.take(name) }
    #expect(settings.stores.map(\.absoluteString) == ["http://127.0.0.1:8080/", "HTTPS://shop.example/books"])
    #expect(OpenedStores(settings.stores, models: []).all.map(\.name) == ["127.0.0.1-8080", "shop.example-books"])
    for name in ["http://", "http:///books", "https://me:geheim@a b/"] {
      let error = #expect(throws: ToolError.self) { try settings.take(name) }
      let text = error?.description ?? ""
      #expect(text.contains("web service") && !text.contains("geheim"), "\(text)")
    }
  }
}
