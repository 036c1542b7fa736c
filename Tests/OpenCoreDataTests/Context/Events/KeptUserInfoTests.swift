import CoreData
import Testing

@testable import OpenCoreData

/// Contexts keep the user infos of their notifications from one to the next. Observers see none of that.
@Suite struct KeptUserInfoTests {
  @Test(arguments: TestStore.all) func whatObserversKeepStays(_ store: TestStore) throws {
    try EventWorld.inContext(store) { context, recorder in
      let names = ["Ann", "Ben", "Cat"]
      for name in names {
        _ = context.owner(["name": name])
        try context.save()
      }
      let ann = try context.named("Ann", "Owner"), ben = try context.named("Ben", "Owner")
      ann.setValue(50, forKey: "age")
      try context.save()
      context.delete(ben)
      ann.setValue(51, forKey: "age")
      _ = context.owner(["name": "Dan"])
      try context.save()
      let told = recorder.take()
      let texts = names.map { "inserted \($0)" } + ["updated Ann", "inserted Dan; updated Ann; deleted Ben"]
      #expect(told.filter { $0.name == .NSManagedObjectContextObjectsDidChange }.map(\.text) == texts)
      #expect(told.filter { $0.name == .NSManagedObjectContextDidSave }.map(\.text) == texts)
      let identifiers = told.filter { $0.name == .NSManagedObjectContextDidSaveObjectIDs }
      #expect(identifiers.map { $0.identifiers(.insertedObjectIDs).count } == [1, 1, 1, 0, 1])
      #expect(identifiers.map { $0.identifiers(.updatedObjectIDs) } == [[], [], [], [ann.objectID], [ann.objectID]])
      #expect(identifiers.map { $0.identifiers(.deletedObjectIDs).count } == [0, 0, 0, 0, 1])
    }
  }

  @Test(arguments: TestStore.all) func changesOfObserversAreToldByThemselves(_ store: TestStore) throws {
    try EventWorld.inContext(store) { context, recorder in
      var isFirst = true
      recorder.react = { told in
        guard told.name == .NSManagedObjectContextObjectsDidChange, isFirst else { return }
        isFirst = false
        _ = context.owner(["name": "inner"])
        context.processPendingChanges()
        #expect(told.text == "inserted outer")
      }
      _ = context.owner(["name": "outer"])
      context.processPendingChanges()
      #expect(recorder.events() == ["inserted outer", "inserted inner"])
      _ = context.owner(["name": "last"])
      context.processPendingChanges()
      #expect(recorder.events() == ["inserted last"])
    }
  }

  /// Each kind of event after each other one, told as what has happened.
  @Test(arguments: TestStore.all) func kindsInTurns(_ store: TestStore) throws {
    let seed = UInt64.random(in: 1 ... .max)
    print("kept user infos: seed \(seed)")
    var random = SeededGenerator(seed: seed)
    try EventWorld.inContext(store) { context, recorder in
      let ada = try context.named("Ada", "Owner")
      for number in 0..<60 {
        var expected: [String] = []
        let kinds = Int.random(in: 1...7, using: &random)
        if kinds & 1 != 0 {
          _ = context.owner(["name": "n\(number)"])
          expected.append("inserted n\(number)")
        }
        if kinds & 2 != 0 {
          ada.setValue(number * 2 % 98 + 1, forKey: "age")
          expected.append("updated Ada")
        }
        if kinds & 4 != 0 {
          let old = context.owner(["name": "old\(number)"])
          try context.save()
          _ = recorder.take()
          if kinds & 2 != 0 { ada.setValue(number * 2 % 98 + 2, forKey: "age") }
          if kinds & 1 != 0 { _ = context.owner(["name": "again\(number)"]) }
          expected = kinds & 1 != 0 ? ["inserted again\(number)"] : []
          if kinds & 2 != 0 { expected.append("updated Ada") }
          context.delete(old)
          expected.append("deleted old\(number)")
        }
        context.processPendingChanges()
        #expect(recorder.events() == [expected.joined(separator: "; ")], "\(number)")
      }
    }
  }

  @Test(arguments: TestStore.all) func objectsAreLetGo(_ store: TestStore) throws {
    try EventWorld.inContext(store) { context, recorder in
      weak var object: NSManagedObject?
      do {
        let new = context.owner(["name": "short"])
        try context.save()
        object = new
      }
      _ = recorder.take()
      #expect(object == nil)
    }
  }
}
