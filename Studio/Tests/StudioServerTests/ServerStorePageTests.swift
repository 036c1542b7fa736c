#if PostgreSQL
  import CoreData
  import CoreDataPostgreSQL
  import Foundation
  import PostgreSQLTestServer
  import Testing

  @testable import StudioServer

  /// A store in a server is shown, verified, rehearsed and changed as one in a file is.
  @Suite(.enabled(if: PostgreSQLServer.isInstalled, "PostgreSQL is not installed"))
  struct ServerStorePageTests {
    private func visit(
      hasHistory: Bool, writes: Bool = false,
      _ body: @escaping @Sendable (Visitor, _ base: String, SampleStore) async throws -> Void
    ) async throws {
      let place = try TestPlace.new()
      PostgreSQLStore.register()
      let store = try SampleStore(people: 30, type: NSPostgreSQLStoreType, hasHistory: hasHistory, at: place)
      var settings = StudioSettings.of(store.url, writes: writes)
      settings.models = [try SampleModel.people()]
      let name = try #require(OpenedStores([place], models: []).all.first?.name)
      try await Visitor.visit(settings) { try await body($0, "/stores/\(name)", store) }
    }

    @Test(arguments: [false, true])
    func everyPageIsShown(hasHistory: Bool) async throws {
      try await visit(hasHistory: hasHistory) { visitor, base, _ in
        for (path, words) in [
          ("", "PostgreSQL"), ("/entities", "Person"), ("/entities/Person", "Person 29"),
          ("/entities/Person?where=age%20%3E%2020&sort=-age", "Person 29"),
          ("/entities/Person?columns=name,friend.name,friendOf.@count", "Person 28"),
          ("/entities/Person/objects.csv", "Person 29"), ("/entities/Person/explain?where=age%20%3D%3D%203", "SELECT"),
          ("/objects/Person/p1", hasHistory ? "insert" : "Person"), ("/model", "friendOf"),
          ("/history", hasHistory ? "Person" : "There are no transactions"),
          ("/migrate?to=models%2FPeople.xcdatamodeld%2FPeople%202", "nickname"),
        ] {
          let page = try await visitor.get(base + path)
          #expect(page.status == .ok && page.text.contains(words), "\(path): \(page.status) \(page.text)")
          #expect(!page.text.contains("secret of"), "\(path)")
        }
      }
    }

    @Test func itIsVerifiedAndAMigrationRehearsed() async throws {
      try await visit(hasHistory: false) { visitor, base, _ in
        let token = try visitor.token(of: try await visitor.get(base))
        let found = try await visitor.result(of: visitor.post("\(base)/verify", [], token: token))
        #expect(found.text.contains("The store is sound"), "\(found.text)")
        let rehearsed = try await visitor.result(
          of: visitor.post(
            "\(base)/migrate/rehearse", [("to", "models/People.xcdatamodeld/People 2")], token: token))
        #expect(rehearsed.text.contains("The rehearsal went well"), "\(rehearsed.text)")
        #expect(rehearsed.text.contains("ALTER TABLE &quot;Person&quot;"), "\(rehearsed.text)")
      }
    }

    @Test func valuesAreChangedAndWhatAnotherProgramWroteIsAConflict() async throws {
      try await visit(hasHistory: true, writes: true) { visitor, base, store in
        let page = try await visitor.get("\(base)/objects/Person/p1/edit")
        let token = try visitor.token(of: page)
        let sent = try await visitor.post(
          "\(base)/objects/Person/p1/edit", [("v:name", "Mine"), ("w:name", "Person 0"), ("token", token)], token: nil)
        #expect(sent.status == .seeOther, "\(sent.text)")
        try store.write { context in
          let request = NSFetchRequest<NSManagedObject>(entityName: "Person")
          request.predicate = NSPredicate(format: "name == 'Person 0'")
          try context.fetch(request).first?.setValue("Theirs", forKey: "name")
        }
        _ = try await visitor.post("\(base)/changes/save", [], token: token)
        let conflict = try await visitor.get("\(base)/changes/conflict")
        #expect(conflict.text.contains("Mine") && conflict.text.contains("Theirs"), "\(conflict.text)")
      }
    }
  }
#endif
