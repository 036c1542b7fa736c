#if PostgreSQL
  import CoreData
  import Foundation
  import PostgreSQLTestServer
  import Testing

  @testable import CoreDataPostgreSQL

  @Suite("Reading that is cut", .needsServer)
  struct CutReadingTests {
    /// A connection that is cut at one message: the store asks again, and the answer is the same. Only where a store is opened,
    /// and nothing is known of it yet, the error says that the connection is lost. Each 16th message is cut, `SOAK=16`
    /// takes them all.
    @Test(arguments: ReadingWork.allCases) func wherever(work: ReadingWork) throws {
      let world = try ProxiedWorld(BatchModels.graph(), options: ReadingWork.options)
      try ReadingWork.setUp(world.direct)
      let expected = try work.run(world.direct), proxy = world.proxy
      var random = SeededGenerator(for: "cuts of \(work)"), answered = 0
      for side in [MessageProxy.Side.client, .server] {
        var position = Int.random(in: 0..<ProxiedWorld.stride, using: &random), number = 0
        while position < 800 {
          number += 1
          // Half of the requests have connections that are there already, and none has anything in the row cache.
          let isNew = number % 2 == 0
          if isNew { proxy.cutNow() }
          try world.store.store.noteLostConnection()
          let cuts = proxy.cutCount
          proxy.cut(after: position, of: side)
          do {
            #expect(try work.run(world.store) == expected, "cut after \(position) of the \(side)")
            answered += 1
          } catch {
            checkFailure(error, "\(work) cut after \(position) of the \(side)")
            #expect([.metadata, .opening].contains(work), "cut after \(position) of the \(side): \(error)")
            #expect((error as NSError).code == NSPersistentStoreOperationError)
          }
          proxy.doNotCut()
          #expect(try work.run(world.store) == expected, "after a cut after \(position) of the \(side)")
          if isNew {
            if proxy.cutCount == cuts { break }
            position += ProxiedWorld.stride
          }
        }
        #expect(position < 800 && number > 1, "\(side): \(position)")
      }
      #expect(answered > 0)
    }

    /// A generation cannot be read again where its connection is lost: it is over, and the context pins itself anew.
    @Test func aQueryGenerationIsOver() throws {
      let world = try ProxiedWorld(BatchModels.graph())
      try ReadingWork.setUp(world.direct)
      try world.store.inContext { context in
        try context.setQueryGenerationFrom(.current)
        #expect(try context.all("Node").count == 30)
        world.proxy.cutNow()
        let error = #expect(throws: NSError.self) { try context.all("Node") }
        #expect(error?.code == NSPersistentStoreOperationError)
        #expect(error?.localizedDescription.contains("generation is over") == true)
        try context.setQueryGenerationFrom(.current)
        #expect(try context.all("Node").count == 30)
      }
    }

    /// Messages that are late, come byte by byte or many at once: the same answers as without.
    @Test(arguments: [
      MessageProxy.Behaviour(delay: .milliseconds(2)), .init(splits: true), .init(coalesces: true),
      .init(delay: .milliseconds(1), splits: true, coalesces: true),
    ])
    func anotherPace(behaviour: MessageProxy.Behaviour) throws {
      let world = try ProxiedWorld(BatchModels.graph(), options: ReadingWork.options)
      world.proxy.behaviour = behaviour
      world.proxy.cutNow()
      try ReadingWork.setUp(world.store)
      for work in ReadingWork.allCases {
        try world.store.store.noteLostConnection()
        #expect(try work.run(world.store) == work.run(world.direct), "\(work)")
      }
      try world.store.inContext { context in
        for node in try context.all("Node", "age < 5") { context.delete(node) }
        for node in try context.all("Node", "age >= 5") {
          node.setValue("a" + String(repeating: "b", count: 5_000), forKey: "tag")
        }
        try context.save()
      }
      #expect(try world.direct.contents() == world.store.contents())
      #expect(try world.direct.contents().count == 25 + 3 + 4)
    }
  }
#endif
