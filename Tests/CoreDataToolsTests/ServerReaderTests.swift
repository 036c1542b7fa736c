#if PostgreSQL
  import CoreData
  import CoreDataTools
  import Foundation
  import PostgreSQLTestServer
  import Testing

  import CoreDataPostgreSQL

  /// A reader of a store in a server tells what one of a file does.
  @Suite(.enabled(if: PostgreSQLServer.isInstalled, "PostgreSQL is not installed"))
  struct ServerReaderTests {
    @Test func aStoreInAServerIsRead() throws {
      let shop = try Shop(
        persons: 3, things: 5, type: NSPostgreSQLStoreType, hasHistory: true, stays: true, at: try TestPlace.new())
      let reader = try StoreReader(shop.store)
      #expect(reader.kind == .postgreSQL)
      #expect(try reader.count(of: ObjectQuery(entity: "Person", predicate: "age > 0")) == 2)
      try shop.write { Shop.make("Person", in: $0, ["name": "New"]) }
      #expect(try reader.count(of: ObjectQuery(entity: "Person")) == 4)
      var person: ObjectReference?
      try reader.rows(of: ObjectQuery(entity: "Person", predicate: "name == \"P0\"")) { reference, _ in
        person = reference
      }
      let found = try #require(person)
      let object = try #require(try reader.object(found))
      #expect(object.toManys.map(\.count) == [1, 5])
      let all = try reader.members(of: object.reference, relationship: "things")
      #expect(Set(all.map(\.entity)) == ["Thing", "Toy"])
      #expect(
        try reader.members(of: object.reference, relationship: "things", limit: 2, offset: 1) == Array(all[1..<3]))
      #expect(try reader.referrers(of: all[0]).map(\.object) == [object.reference])
      #expect(try reader.history(limit: 1).first?.changes.map(\.kind) == [.insert])
      #expect(try reader.verify().problems.isEmpty)
      let sizes = try #require(try reader.tableSizes())
      #expect(sizes.map(\.entity).sorted() == ["Note", "Person", "Thing"])
      #expect(sizes.filter { $0.entity != "Note" }.allSatisfy { $0.tableBytes > 0 && $0.indexBytes > 0 })
      #expect(try reader.info().entities.first { $0.name == "Person" }?.rows == 4)
      #expect(throws: CancellationError.self) {
        try reader.rows(of: ObjectQuery(entity: "Thing")) { _, _ in reader.cancel() }
      }
      #expect(try reader.count(of: ObjectQuery(entity: "Person")) == 4)
    }

    /// A server can keep a history, and keeps none for a store that asks for none: a copy, for one.
    @Test func aStoreInAServerWithoutAHistoryHasNoTransactions() throws {
      let shop = try Shop(
        persons: 1, things: 1, type: NSPostgreSQLStoreType, hasHistory: false, stays: true, at: try TestPlace.new())
      let reader = try StoreReader(shop.store)
      #expect(try reader.history(limit: 10).isEmpty)
      var person: ObjectReference?
      try reader.rows(of: ObjectQuery(entity: "Person")) { reference, _ in person = reference }
      #expect(try reader.history(of: try #require(person)).isEmpty)
    }
  }
#endif
