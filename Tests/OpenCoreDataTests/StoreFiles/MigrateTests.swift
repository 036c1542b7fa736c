import CoreData
import Testing

@_spi(Store) @testable import OpenCoreData

/// Stores that go on at another place, as another type, or as another one.
@Suite(.enabled(if: Shell.hasSQLite, "sqlite3 is not there")) struct MigrateTests {
  /// People with every kind of relationship; what they are and how they are related, as text.
  private func fill(_ coordinator: NSPersistentStoreCoordinator, seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    try coordinator.inContext { (context) throws in
      let houses = (0..<4).map { context.make("House", ["street": "S\($0)"]) }
      let clubs = (0..<6).map { context.make("Club", ["name": "C\($0)", "number": $0]) }
      let people = (0..<60).map { number in
        context.make(
          ["Person", "Employee", "Manager"].randomElement(using: &random)!,
          ["name": "P\(number)", "age": Int.random(in: 0..<99, using: &random)])
      }
      for person in people {
        if Bool.random(using: &random) { person.setValue(people.randomElement(using: &random), forKey: "boss") }
        if Bool.random(using: &random) { person.setValue(houses.randomElement(using: &random), forKey: "home") }
        if Bool.random(using: &random) { person.setValue(people.randomElement(using: &random), forKey: "partner") }
        if Bool.random(using: &random) {
          person.setValue(context.make("Passport", ["number": 7]), forKey: "passport")
        }
        person.setValue(NSSet(array: clubs.shuffled(using: &random).prefix(3).map { $0 }), forKey: "clubs")
        person.setValue(NSSet(array: people.shuffled(using: &random).prefix(4).map { $0 }), forKey: "friends")
        if person.entity.name == "Employee" { person.setValue(NSDecimalNumber(string: "12.5"), forKey: "salary") }
      }
      try context.save()
    }
  }

  private func contents(_ coordinator: NSPersistentStoreCoordinator) throws -> [String] {
    try coordinator.inContext { (context) throws in
      func name(_ object: NSManagedObject) -> String {
        switch object.entity.name {
        case "House": object.text("street") ?? ""
        case "Passport": "passport \(object.number("number") ?? -1)"
        default: object.text("name") ?? ""
        }
      }
      return try ["Person", "Club", "House", "Passport"].flatMap { try context.all($0) }.map { object in
        let values = object.entity.attributesByName.keys.sorted().filter { $0 != "alias" && $0 != "visits" }
          .map { "\($0)=\(object.value(forKey: $0) ?? "nil")" }
        let relations = object.entity.relationshipsByName.sorted { $0.key < $1.key }.map { key, relationship in
          let members = relationship.isToMany ? Array(object.many(key)) : [object.one(key)].compactMap { $0 }
          return "\(key)->\(members.map(name).sorted())"
        }
        return "\(object.entity.name!) \(values) \(relations)"
      }.sorted()
    }
  }

  @Test func toAnotherFile() throws {
    let url = try TestModel.temporaryFile(), other = try TestModel.temporaryFile("Other.sqlite")
    let coordinator = try Society.coordinator(url: url)
    try fill(coordinator, seed: 1)
    let old = coordinator.persistentStores[0]
    old.metadata["mine"] = "not saved yet"
    let before = try contents(coordinator)
    let uri = try coordinator.inContext { try $0.named("P7").objectID.uriRepresentation() }
    let context = TestModel.context(coordinator)
    try context.performAndWait {
      let unsaved = try context.named("P1")
      unsaved.setValue("changed", forKey: "name")
      let new = try coordinator.migratePersistentStore(
        old, to: other, options: [NSSQLitePragmasOption: ["journal_mode": "DELETE"]], type: .sqlite)
      #expect(coordinator.persistentStores == [new] && new.url == other && old.persistentStoreCoordinator == nil)
      #expect(FileStore.code { try context.save() } != nil)
    }
    #expect(try contents(coordinator) == before)
    try coordinator.inContext { (context) throws in
      let id = try #require(coordinator.managedObjectID(forURIRepresentation: uri))
      #expect(try context.existingObject(with: id).text("name") == "P7")
      _ = context.make("Person", ["name": "new"])
      try context.save()
    }
    #expect(
      try Shell.sql(other, "PRAGMA journal_mode; SELECT COUNT(*) FROM ZPERSON WHERE ZNAME = 'new'") == ["delete", "1"])
    #expect(try Shell.sql(url, "SELECT COUNT(*) FROM ZPERSON") == ["60"])
    let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(type: .sqlite, at: other)
    #expect(metadata["mine"] as? String == "not saved yet")
  }

  @Test(arguments: [1, 2, 3]) func toMemoryAndBack(seed: UInt64) throws {
    let url = try TestModel.temporaryFile(), other = try TestModel.temporaryFile("Other.sqlite")
    let coordinator = try Society.coordinator(url: url)
    try fill(coordinator, seed: seed)
    let before = try contents(coordinator)
    coordinator.persistentStores[0].metadata["mine"] = 5
    let memory = try coordinator.migratePersistentStore(
      coordinator.persistentStores[0], to: URL(fileURLWithPath: "/dev/null"), type: .inMemory)
    #expect(try contents(coordinator) == before, "seed \(seed)")
    try coordinator.migratePersistentStore(memory, to: other, type: .sqlite)
    #expect(try contents(coordinator) == before, "seed \(seed)")
    try FileStore.close(coordinator)
    #expect(try contents(Society.coordinator(url: other)) == before)
    #expect(try Shell.sql(other, "PRAGMA integrity_check") == ["ok"])
    let metadata = try [url, other].map {
      try NSPersistentStoreCoordinator.metadataForPersistentStore(type: .sqlite, at: $0)
    }
    #expect(metadata[1]["mine"] as? Int == 5)
    #expect(metadata[0][NSStoreUUIDKey] as? String != metadata[1][NSStoreUUIDKey] as? String)
  }

  /// Object by object, in small batches, and with as many statements for objects as there are objects.
  @Test func throughEveryType() throws {
    let first = try TestModel.temporaryFile()
    let coordinator = try Society.coordinator(url: first)
    try fill(coordinator, seed: 4)
    let before = try contents(coordinator)
    let steps: [(NSPersistentStore.StoreType, String)] = [
      (.xml, "a.xml"), (.binary, "b.bin"), (.sqlite, "c.sqlite"), (.binary, "d.bin"), (.xml, "e.xml"), (.inMemory, "f"),
      (.sqlite, "g.sqlite"),
    ]
    for (type, name) in steps {
      let url = try TestModel.temporaryFile(name)
      let store = try coordinator.migratePersistentStore(coordinator.persistentStores[0], to: url, type: type)
      #expect(store.type == type.rawValue && coordinator.persistentStores == [store])
      #expect(try contents(coordinator) == before, "\(name)")
      if type == .inMemory { continue }
      let other = NSPersistentStoreCoordinator(managedObjectModel: Society.model())
      try other.addPersistentStore(type: type, at: url)
      #expect(try contents(other) == before, "\(name), opened again")
      try FileStore.close(other)
      let copy = try TestModel.temporaryFile("copy-\(name)")
      try other.replacePersistentStore(at: copy, withPersistentStoreFrom: url, type: type)
      try other.addPersistentStore(type: type, at: copy)
      #expect(try contents(other) == before, "\(name), replaced")
      try FileStore.close(other)
      try other.destroyPersistentStore(at: copy, type: type)
      #expect(try FileStore.files(beside: copy) == (type == .sqlite ? [copy.lastPathComponent] : []))
    }
    #expect(try contents(Society.coordinator(url: first)) == before, "the first is left as it is")
  }

  @Test func objectByObjectBetweenFiles() throws {
    let source = try Society.coordinator(url: try TestModel.temporaryFile())
    try fill(source, seed: 9)
    let url = try TestModel.temporaryFile()
    let options: [AnyHashable: Any] = [NSSQLitePragmasOption: ["journal_mode": "DELETE"]]
    let target = try FileStore.open(url, options, source.managedObjectModel)
    let copy = StoreObjectCopy(from: source.persistentStores[0], to: target.persistentStores[0], source)
    copy.batchSize = 7
    let progress = Progress(totalUnitCount: 1)
    try copy.run(progress: progress)
    #expect(progress.totalUnitCount > 120 && progress.completedUnitCount == progress.totalUnitCount)
    #expect(try contents(target) == contents(source))
    try target.inContext { (context) throws in
      _ = context.make("Person", ["name": "new"])
      try context.save()
    }
  }

  @Test func whatKeepsItFromBeingDone() throws {
    let url = try FileStore.make(["A"]), taken = try FileStore.make(["B"])
    let coordinator = try FileStore.open(url), other = try FileStore.open(taken)
    let store = coordinator.persistentStores[0]
    let none = url.deletingLastPathComponent().appendingPathComponent("new.sqlite")
    func code(
      _ store: NSPersistentStore, _ url: URL, _ type: String = NSSQLiteStoreType, _ options: [AnyHashable: Any]? = nil
    )
      -> Int?
    {
      FileStore.code { try coordinator.migratePersistentStore(store, to: url, options: options, withType: type) }
    }
    #expect(code(other.persistentStores[0], none) == NSPersistentStoreOpenError)
    #expect(code(store, taken) == 516)
    #expect(code(store, url) == 516)
    #expect(code(store, none, "Papyrus") == NSPersistentStoreInvalidTypeError)
    #expect(code(store, none.appendingPathComponent("deeper")) == 256)
    // The copy cannot be opened, and goes again.
    #expect(code(store, none, NSSQLiteStoreType, [NSSQLitePragmasOption: ["a b": 1]]) == NSPersistentStoreOpenError)
    #expect(try FileStore.files(beside: url).contains("new.sqlite") == false)
    #expect(coordinator.persistentStores == [store])
    try FileStore.add(["C"], to: coordinator)
    #expect(try FileStore.names(coordinator) == ["A", "C"])
  }

  // MARK: setURL

  @Test func anOpenStoreGoesOnWithAnotherFile() throws {
    let url = try FileStore.make(["A"]), other = try FileStore.make(["B"])
    let coordinator = try FileStore.open(url)
    let store = coordinator.persistentStores[0]
    let context = TestModel.context(coordinator)
    try context.performAndWait {
      #expect(try context.names("Author") == ["A"])
      #expect(coordinator.setURL(other, for: store))
      context.reset()
      #expect(try context.names("Author") == ["B"])
      _ = context.make("Author", ["name": "C"])
      try context.save()
    }
    #expect(coordinator.url(for: store) == other && coordinator.persistentStore(for: other) === store)
    #expect(try Shell.sql(other, "SELECT ZNAME FROM ZAUTHOR") == ["B", "C"])
    #expect(try Shell.sql(url, "SELECT ZNAME FROM ZAUTHOR") == ["A"])
    #expect(try Shell.sql(other, "SELECT Z_UUID FROM Z_METADATA") == [store.identifier])
    let text = try TestModel.temporaryFile()
    try Data("text".utf8).write(to: text)
    for url in [
      text, text.deletingLastPathComponent(), try TestModel.temporaryFile(), URL(fileURLWithPath: "/dev/null"),
    ] {
      #expect(!coordinator.setURL(url, for: store))
    }
    #expect(try FileStore.names(coordinator) == ["B", "C"])
  }
}
