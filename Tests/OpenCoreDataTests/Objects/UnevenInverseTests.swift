import CoreData
import Foundation
import FuzzSupport
import Testing

@_spi(Store) @testable import OpenCoreData

/// Relationships whose inverse has another inverse: each has the inverse that it names follow, in memory and in the store.
@Suite struct UnevenInverseTests {
  /// Contexts of one coordinator over a new store.
  private struct Stack {
    let coordinator: NSPersistentStoreCoordinator
    let context: NSManagedObjectContext

    init(_ store: TestStore, url: URL? = nil) throws {
      coordinator = try store.coordinator(Gallery.model(), url: url)
      context = TestModel.context(coordinator)
    }

    func make(_ entity: String, _ key: String, _ value: String) -> NSManagedObject {
      let object = NSEntityDescription.insertNewObject(forEntityName: entity, into: context)
      object.setValue(value, forKey: key)
      return object
    }

    func painter(_ name: String) -> NSManagedObject { make("Painter", "name", name) }
    func picture(_ title: String) -> NSManagedObject { make("Picture", "title", title) }
  }

  /// All relationships of all objects as text.
  private static func facts(_ context: NSManagedObjectContext) throws -> [String] {
    try context.performAndWait { try readFacts(context) }
  }

  private static func readFacts(_ context: NSManagedObjectContext) throws -> [String] {
    func name(_ object: NSManagedObject) -> String {
      (object.value(forKey: object.entity.name == "Picture" ? "title" : "name") as? String) ?? "?"
    }
    return try ["Painter", "Picture", "Tag"].flatMap { entity in
      try context.fetch(NSFetchRequest<NSManagedObject>(entityName: entity)).flatMap { object in
        object.entity.relationshipsByName.keys.compactMap { key in
          let value = object.value(forKey: key)
          let members =
            (value as? NSSet)?.compactMap { $0 as? NSManagedObject } ?? [value as? NSManagedObject].compactMap { $0 }
          return members.isEmpty ? nil : "\(name(object)).\(key)=\(members.map(name).sorted().joined(separator: ","))"
        }
      }
    }.sorted()
  }

  private func one(_ object: NSManagedObject, _ key: String) -> NSManagedObject? {
    object.value(forKey: key) as? NSManagedObject
  }

  private func many(_ object: NSManagedObject, _ key: String) -> Set<NSManagedObject> {
    Set((object.value(forKey: key) as? NSSet)?.compactMap { $0 as? NSManagedObject } ?? [])
  }

  // MARK: The model

  @Test func eachKeepsTheInverseThatItNames() throws {
    let model = try Gallery.model()
    func inverse(_ entity: String, _ name: String) -> String? {
      model.entitiesByName[entity]?.relationshipsByName[name]?.inverseRelationship?.name
    }
    let names = [("Painter", "pictures"), ("Painter", "portrait"), ("Picture", "painter"), ("Picture", "tags")]
    #expect(names.map(inverse) == ["painter", "subject", "portrait", "pictures"])
    let warnings = model.ownWarnings.map(\.text).filter { $0.contains("own inverse") }
    #expect(warnings.count == 4)
    #expect(
      warnings.contains(
        "Picture.painter: its inverse is Painter.portrait, whose own inverse is Picture.subject: each has the inverse "
          + "that it names follow, and the two need not agree"), "\(warnings)")
  }

  /// The names of the inverses as they are written make the hash, also of a compiled model.
  @Test func theHashIsMadeOfTheNamesAsWritten() throws {
    let model = try Gallery.model()
    let mutual = try Gallery.model(
      Gallery.xml.replacingOccurrences(
        of: #"Painter" inverseName="portrait"/>"#, with: #"Painter" inverseName="pictures"/>"#))
    let differing = model.entityVersionHashesByName.filter { mutual.entityVersionHashesByName[$0] != $1 }.keys
    #expect(Set(differing) == ["Picture"])
    let file = try TestModel.temporaryFile("Gallery.mom")
    defer { try? FileManager.default.removeItem(at: file.deletingLastPathComponent()) }
    try ModelEncoder.encode(model, as: .compiled).write(to: file)
    let compiled = try NSManagedObjectModel(validatingContentsOf: file)
    #expect(compiled.entityVersionHashesByName == model.entityVersionHashesByName)
    #expect(compiled.entitiesByName["Picture"]?.relationshipsByName["painter"]?.inverseRelationship?.name == "portrait")
  }

  // MARK: The graph

  @Test(arguments: TestStore.all) func aToOneHasItsInverseFollow(_ store: TestStore) throws {
    let stack = try Stack(store)
    try stack.context.performAndWait {
      let ada = stack.painter("ada"), first = stack.picture("1"), second = stack.picture("2")
      first.setValue(ada, forKey: "painter")
      #expect(one(ada, "portrait") === first && many(ada, "pictures") == [first] && many(ada, "sketches") == [first])
      #expect(one(first, "subject") === ada)
      second.setValue(ada, forKey: "painter")
      #expect(one(ada, "portrait") === second && many(ada, "pictures") == [first, second])
      #expect(one(first, "painter") === ada && one(first, "subject") == nil && one(second, "subject") === ada)
      // Nothing names `painter` as the inverse that follows `portrait`.
      ada.setValue(first, forKey: "portrait")
      #expect(one(first, "subject") === ada && one(second, "subject") == nil && one(second, "painter") === ada)
      #expect(many(ada, "pictures") == [first, second])
      first.setValue(nil, forKey: "painter")
      #expect(one(ada, "portrait") == nil && many(ada, "pictures") == [second] && many(ada, "sketches") == [second])
      let before = try Self.facts(stack.context)
      try stack.context.save()
      #expect(try Self.facts(stack.context) == before)
      #expect(try Self.facts(TestModel.context(stack.coordinator)) == before)
    }
  }

  @Test(arguments: TestStore.all) func listsOfOneColumnAgree(_ store: TestStore) throws {
    let stack = try Stack(store)
    try stack.context.performAndWait {
      let ada = stack.painter("ada"), ben = stack.painter("ben"), first = stack.picture("1"),
        second = stack.picture("2")
      ada.mutableSetValue(forKey: "sketches").add(first)
      ada.mutableSetValue(forKey: "pictures").add(second)
      #expect(many(ada, "pictures") == [first, second] && many(ada, "sketches") == [first, second])
      try stack.context.save()
      let other = TestModel.context(stack.coordinator)
      other.automaticallyMergesChangesFromParent = true
      #expect(try Self.facts(other) == Self.facts(stack.context))
      ben.mutableSetValue(forKey: "sketches").add(first)
      #expect(many(ada, "pictures") == [second] && many(ada, "sketches") == [second])
      #expect(many(ben, "pictures") == [first] && one(ben, "portrait") === first)
      try stack.context.save()
      #expect(try Self.facts(other) == Self.facts(stack.context))
      #expect(try Self.facts(TestModel.context(stack.coordinator)) == Self.facts(stack.context))
      stack.context.delete(first)
      try stack.context.save()
      #expect(many(ben, "pictures").isEmpty && many(ben, "sketches").isEmpty && one(ben, "portrait") == nil)
      #expect(try Self.facts(other) == Self.facts(stack.context))
      #expect(try Self.facts(TestModel.context(stack.coordinator)) == Self.facts(stack.context))
    }
  }

  @Test(arguments: TestStore.all) func listsOfPairsAreTheirOwn(_ store: TestStore) throws {
    let stack = try Stack(store)
    try stack.context.performAndWait {
      let picture = stack.picture("1"), red = stack.make("Tag", "name", "red"), blue = stack.make("Tag", "name", "blue")
      picture.mutableSetValue(forKey: "tags").add(red)
      #expect(many(red, "pictures") == [picture] && many(picture, "labels") == [red])
      picture.mutableSetValue(forKey: "labels").add(blue)
      #expect(many(blue, "pictures") == [picture] && many(picture, "tags") == [red])
      try stack.context.save()
      let facts = ["1.labels=blue,red", "1.tags=red", "blue.pictures=1", "red.pictures=1"]
      #expect(try Self.facts(TestModel.context(stack.coordinator)) == facts)
      picture.mutableSetValue(forKey: "labels").remove(red)
      #expect(many(red, "pictures").isEmpty && many(picture, "tags") == [red])
      try stack.context.save()
      #expect(
        try Self.facts(TestModel.context(stack.coordinator)) == ["1.labels=blue", "1.tags=red", "blue.pictures=1"])
    }
  }

  @Test(arguments: TestStore.all) func undoneAndRolledBack(_ store: TestStore) throws {
    let stack = try Stack(store)
    try stack.context.performAndWait {
      let ada = stack.painter("ada"), ben = stack.painter("ben"), first = stack.picture("1")
      first.setValue(ada, forKey: "painter")
      try stack.context.save()
      let before = try Self.facts(stack.context)
      stack.context.undoManager = UndoManager()
      stack.context.undoManager?.groupsByEvent = false
      stack.context.undoManager?.beginUndoGrouping()
      ben.mutableSetValue(forKey: "sketches").add(first)
      stack.context.processPendingChanges()
      stack.context.undoManager?.endUndoGrouping()
      let after = try Self.facts(stack.context)
      #expect(after != before)
      stack.context.undoManager?.undo()
      #expect(try Self.facts(stack.context) == before)
      stack.context.undoManager?.redo()
      #expect(try Self.facts(stack.context) == after)
      stack.context.rollback()
      #expect(try Self.facts(stack.context) == before)
    }
  }

  /// The file is one that opens again, verifies, and has the tables of its model.
  @Test(arguments: [NSSQLiteStoreType, NSXMLStoreType, NSBinaryStoreType]) func aFileOpensAgain(_ type: String) throws {
    let file = try TestModel.temporaryFile()
    defer { try? FileManager.default.removeItem(at: file.deletingLastPathComponent()) }
    func open() throws -> NSManagedObjectContext {
      let coordinator = NSPersistentStoreCoordinator(managedObjectModel: try Gallery.model())
      try coordinator.addPersistentStore(ofType: type, configurationName: nil, at: file, options: nil)
      return TestModel.context(coordinator)
    }
    let context = try open()
    let facts = try context.performAndWait {
      func make(_ entity: String, _ key: String, _ value: String) -> NSManagedObject {
        let object = NSEntityDescription.insertNewObject(forEntityName: entity, into: context)
        object.setValue(value, forKey: key)
        return object
      }
      let ada = make("Painter", "name", "ada"), ben = make("Painter", "name", "ben")
      let first = make("Picture", "title", "1"), second = make("Picture", "title", "2")
      first.setValue(ada, forKey: "painter")
      second.setValue(ada, forKey: "painter")
      ben.setValue(first, forKey: "portrait")
      second.mutableSetValue(forKey: "tags").add(make("Tag", "name", "red"))
      try context.save()
      return try Self.facts(context)
    }
    let again = try open()
    #expect(try Self.facts(again) == facts)
    if type == NSSQLiteStoreType { #expect(try StoreCheck.errors(file) == []) }
  }

  // MARK: At random

  /// Two contexts change and save in turn: lists that are stored in a column have what the column says, in both contexts
  /// and in the store.
  @Test(arguments: TestStore.all) func atRandom(_ store: TestStore) throws {
    try FuzzCampaign("uneven inverses in \(store.name)", cases: 10).run { seed in
      var random = SeededGenerator(seed: seed)
      let stack = try Stack(store)
      let contexts = (0..<2).map { _ in TestModel.context(stack.coordinator) }
      for context in contexts {
        context.automaticallyMergesChangesFromParent = true
        context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
      }
      try stack.context.performAndWait {
        for number in 0..<3 { _ = stack.painter("p\(number)") }
        for number in 0..<4 { _ = stack.picture("\(number)") }
        try stack.context.save()
      }
      for step in 0..<40 {
        let context = contexts[Int.random(in: 0..<2, using: &random)]
        try context.performAndWait {
          let painters = try objects("Painter", "name", context), pictures = try objects("Picture", "title", context)
          guard let painter = painters.randomElement(using: &random),
            let picture = pictures.randomElement(using: &random)
          else { return }
          switch Int.random(in: 0..<8, using: &random) {
          case 0: picture.setValue(painter, forKey: "painter")
          case 1: picture.setValue(nil, forKey: "painter")
          case 2: painter.mutableSetValue(forKey: "pictures").add(picture)
          case 3: painter.mutableSetValue(forKey: "sketches").add(picture)
          case 4: painter.mutableSetValue(forKey: "sketches").remove(picture)
          case 5: painter.setValue(picture, forKey: "portrait")
          case 6: if pictures.count > 2, step > 30 { context.delete(picture) }
          default: context.refresh(painter, mergeChanges: true)
          }
          context.processPendingChanges()
          try check(context, "step \(step)")
          try context.save()
        }
        for other in contexts + [TestModel.context(stack.coordinator)] {
          try other.performAndWait { try check(other, "after step \(step)") }
        }
      }
    }
  }

  private func objects(_ entity: String, _ key: String, _ context: NSManagedObjectContext) throws -> [NSManagedObject] {
    let request = NSFetchRequest<NSManagedObject>(entityName: entity)
    request.sortDescriptors = [NSSortDescriptor(key: key, ascending: true)]
    return try context.fetch(request)
  }

  private func check(_ context: NSManagedObjectContext, _ place: String) throws {
    let pictures = try objects("Picture", "title", context)
    for painter in try objects("Painter", "name", context) {
      let own = Set(pictures.filter { one($0, "painter") === painter })
      try #require(many(painter, "pictures") == own, "\(place)")
      try #require(many(painter, "sketches") == own, "\(place)")
    }
  }
}
