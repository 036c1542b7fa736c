import CoreData
import Testing

/// The ways in which programs stack contexts.
@Suite struct ThreeLevelTests {
  /// A private writer, the main queue's context above it, and workers: each on its own queue.
  @Test(arguments: TestStore.all) func writerMainAndWorkers(_ store: TestStore) async throws {
    let coordinator = try Society.coordinator(store)
    let writer = TestModel.context(coordinator)
    let main = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
    main.parent = writer
    let workers = (0..<4).map { _ in Tree.child(of: main) }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for (number, worker) in workers.enumerated() {
        group.addTask {
          for round in 0..<10 {
            try await worker.perform {
              let club = worker.make("Club", ["name": "c\(number)", "number": round])
              for member in 0..<5 {
                let person = worker.make("Person", ["name": "p\(number)-\(round)-\(member)"])
                person.mutableSetValue(forKey: "clubs").add(club)
              }
              try worker.save()
            }
            try await main.perform { try main.save() }
            if round % 3 == 0 { try await writer.perform { try writer.save() } }
          }
        }
      }
      try await group.waitForAll()
    }
    try await writer.perform { try writer.save() }
    try coordinator.inContext { context throws in
      #expect(try context.all("Club").count == 40 && context.all("Person").count == 200)
      for club in try context.all("Club") { #expect(club.many("members").count == 5) }
    }
    for worker in workers {
      try await worker.perform { () throws in
        #expect(try worker.all("Person").count == 200)
        #expect(worker.registeredObjects.allSatisfy { !$0.objectID.isTemporaryID })
      }
    }
  }

  /// An editor's context that is thrown away leaves nothing behind.
  @Test(arguments: TestStore.all) func theDiscardableInspector(_ store: TestStore) throws {
    let tree = try Tree(store)
    let id = try tree.middle.inside { middle throws in
      let ada = middle.make("Person", ["name": "Ada"])
      try Tree.saveUp(middle)
      return ada.objectID
    }
    var editor: NSManagedObjectContext? = Tree.child(of: tree.middle)
    try editor?.inside { editor throws in
      let ada = try editor.existingObject(with: id)
      ada.setValue("changed", forKey: "name")
      ada.mutableSetValue(forKey: "clubs").add(editor.make("Club", ["name": "club"]))
      editor.delete(editor.make("Person"))
      #expect(try editor.names("Person") == ["changed"])
    }
    editor = nil
    try tree.middle.inside { middle throws in
      #expect(!middle.hasChanges)
      #expect(try middle.names("Person") == ["Ada"] && middle.names("Club").isEmpty)
      #expect(try middle.named("Ada").many("clubs").isEmpty)
    }
    let second = Tree.child(of: tree.middle)
    try second.inside { editor throws in
      try editor.named("Ada").setValue("kept", forKey: "name")
      try editor.save()
    }
    #expect(try tree.middle.inside { try $0.names("Person") == ["kept"] })
  }

  /// A worker may save while the writer is busy: it waits for nothing but its parent.
  @Test(arguments: TestStore.all) func aPushDoesNotWaitForTheTop(_ store: TestStore) throws {
    let tree = try Tree(store)
    let writing = DispatchSemaphore(value: 0), pushed = DispatchSemaphore(value: 0)
    Soak.threads(2) { number in
      if number == 0 {
        try tree.root.inside { _ throws in
          writing.signal()
          #expect(pushed.wait(timeout: Patience.limit) == .success)
        }
      } else {
        writing.wait()
        try tree.leaf.inside { leaf throws in
          _ = leaf.make("Person", ["name": "Ada"])
          try leaf.save()
        }
        pushed.signal()
      }
    }
    #expect(try tree.middle.inside { try $0.names("Person") == ["Ada"] })
  }
}
