import CoreData
import Foundation
import Testing

@Suite struct AtomicStoreFileTests {
  static let types = [NSXMLStoreType, NSBinaryStoreType]

  private static func url(_ data: Data? = nil) throws -> URL {
    let url = try AtomicModel.folder().appendingPathComponent("My Store")
    try data?.write(to: url)
    return url
  }

  @discardableResult
  private static func insert(_ text: String, _ coordinator: NSPersistentStoreCoordinator) throws -> NSManagedObjectID {
    try coordinator.inContext { context in
      let item = NSEntityDescription.insertNewObject(forEntityName: "Item", into: context)
      item.setValue(text, forKey: "text")
      try context.save()
      return item.objectID
    }
  }

  private static func texts(_ coordinator: NSPersistentStoreCoordinator) throws -> [String] {
    try coordinator.inContext { try AtomicModel.objects("Item", $0).compactMap { $0.text("text") }.sorted() }
  }

  private static func open(_ type: String, _ url: URL, _ options: [AnyHashable: Any]? = nil) throws -> NSError? {
    do {
      _ = try AtomicModel.coordinator(type, url, options: options)
    } catch let error as NSError {
      #expect(error.domain == NSCocoaErrorDomain)
      return error
    }
    return nil
  }

  @Test(arguments: types) func addingMakesTheFile(_ type: String) throws {
    let url = try Self.url()
    let coordinator = try AtomicModel.coordinator(type, url)
    #expect(FileManager.default.fileExists(atPath: url.path))
    let uuid = coordinator.persistentStores[0].identifier
    let again = try AtomicModel.coordinator(type, url)
    #expect(again.persistentStores[0].identifier == uuid)
    #expect(try FileManager.default.contentsOfDirectory(atPath: url.deletingLastPathComponent().path) == ["My Store"])
  }

  @Test(arguments: types) func whatCannotBeOpened(_ type: String) throws {
    let other = type == NSXMLStoreType ? NSBinaryStoreType : NSXMLStoreType
    let made = try Self.url()
    try Self.insert("a", AtomicModel.coordinator(type, made))
    let good = try Data(contentsOf: made)
    #expect(try Self.open(other, made)?.code == CocoaError.Code.fileReadCorruptFile.rawValue)
    for data in [Data(), Data("garbage".utf8), good.dropLast(60), good.prefix(30)] {
      let url = try Self.url(Data(data))
      #expect(try Self.open(type, url)?.code == CocoaError.Code.fileReadCorruptFile.rawValue)
      #expect(try Data(contentsOf: url) == Data(data), "the file was changed")
    }
    let missing = try Self.url()
    #expect(
      try Self.open(type, missing, [NSReadOnlyPersistentStoreOption: true])?.code
        == CocoaError.Code.fileReadNoSuchFile.rawValue)
    #expect(!FileManager.default.fileExists(atPath: missing.path))
    let folder = missing.deletingLastPathComponent()
    #expect(try Self.open(type, folder)?.code == CocoaError.Code.fileReadUnknown.rawValue)
    #expect(
      try Self.open(type, folder.appendingPathComponent("no/where"))?.code == CocoaError.Code.fileReadUnknown.rawValue)
    let changed = AtomicModel.make()
    changed.entitiesByName["Step"]?.properties.append(TestModel.attribute("new", .stringAttributeType))
    let error = #expect(throws: NSError.self) { try AtomicModel.coordinator(type, made, changed) }
    #expect(error?.code == NSPersistentStoreIncompatibleVersionHashError)
    #expect(error?.userInfo["entities"] as? [String] == ["Step"])
    #expect(try Data(contentsOf: made) == good)
  }

  @Test(arguments: types) func whoeverWroteMeanwhileLosesNothing(_ type: String) throws {
    let url = try Self.url()
    let first = try AtomicModel.coordinator(type, url)
    try Self.insert("a", first)
    let second = try AtomicModel.coordinator(type, url)
    try Self.insert("b", first)
    let bytes = try Data(contentsOf: url)
    try second.inContext { context in
      let item = try #require(try AtomicModel.objects("Item", context).first)
      item.setValue("c", forKey: "text")
      context.insert(NSManagedObject(entity: item.entity, insertInto: nil))
      let error = #expect(throws: NSError.self) { try context.save() }
      #expect(error?.code == NSPersistentStoreSaveConflictsError)
      #expect(try Data(contentsOf: url) == bytes)
      #expect(context.hasChanges)
      context.rollback()
      #expect(item.text("text") == "a")
    }
    // The nodes are what they were, too.
    #expect(try Self.texts(second) == ["a"])
    try second.remove(second.persistentStores[0])
    try second.addPersistentStore(ofType: type, configurationName: nil, at: url)
    #expect(try Self.texts(second) == ["a", "b"])
    try Self.insert("d", second)
    #expect(try Self.texts(try AtomicModel.coordinator(type, url)) == ["a", "b", "d"])
  }

  @Test(arguments: types) func aSaveThatFailsLeavesEverything(_ type: String) throws {
    let url = try Self.url()
    let coordinator = try AtomicModel.coordinator(type, url)
    let parent = try Self.insert("parent", coordinator)
    let folder = url.deletingLastPathComponent()
    let away = folder.appendingPathExtension("away")
    try coordinator.inContext { context in
      let child = NSEntityDescription.insertNewObject(forEntityName: "Item", into: context)
      child.setValue("child", forKey: "text")
      child.setValue(context.object(with: parent), forKey: "parent")
      try context.save()
      try FileManager.default.moveItem(at: folder, to: away)
      context.delete(child)
      NSEntityDescription.insertNewObject(forEntityName: "Item", into: context).setValue("new", forKey: "text")
      context.object(with: parent).setValue("changed", forKey: "text")
      let error = #expect(throws: NSError.self) { try context.save() }
      #expect(error?.code == CocoaError.Code.fileNoSuchFile.rawValue)
    }
    try coordinator.inContext { context in
      let found = context.object(with: parent)
      #expect(found.text("text") == "parent")
      #expect(found.many("children").map { $0.text("text") } == ["child"])
      #expect(try AtomicModel.objects("Item", context, "parent.text == 'parent'").count == 1)
      try FileManager.default.moveItem(at: away, to: folder)
      found.setValue("again", forKey: "text")
      try context.save()
    }
    #expect(try Self.texts(try AtomicModel.coordinator(type, url)) == ["again", "child"])
  }

  @Test func aFullDiskLeavesTheOldFile() async throws {
    await #expect(processExitsWith: .success) {
      for type in AtomicStoreFileTests.types {
        let url = try Self.url()
        let coordinator = try AtomicModel.coordinator(type, url)
        try Self.insert("a", coordinator)
        let bytes = try Data(contentsOf: url)
        signal(SIGXFSZ, SIG_IGN)
        var limit = rlimit(rlim_cur: rlim_t(bytes.count + 4000), rlim_max: rlim_t.max)
        setrlimit(__rlimit_resource_t(1), &limit)
        let long = String(repeating: "x", count: 100_000)
        do {
          try Self.insert(long, coordinator)
          exit(1)
        } catch let error as NSError {
          if error.code != CocoaError.Code.fileWriteOutOfSpace.rawValue { exit(2) }
        }
        let files = try FileManager.default.contentsOfDirectory(atPath: url.deletingLastPathComponent().path)
        if try Data(contentsOf: url) != bytes || files != ["My Store"] { exit(3) }
        if try Self.texts(coordinator) != ["a"] { exit(4) }
        limit.rlim_cur = rlim_t.max
        setrlimit(__rlimit_resource_t(1), &limit)
        try Self.insert(long, coordinator)
        if try Self.texts(AtomicModel.coordinator(type, url)) != ["a", long] { exit(5) }
      }
      exit(0)
    }
  }

  @Test(.enabled(if: geteuid() != 0, "root may write everything"), arguments: types)
  func aFileForReadingOnlyIsNotReplaced(_ type: String) throws {
    let url = try Self.url()
    let coordinator = try AtomicModel.coordinator(type, url)
    chmod(url.path, 0o444)
    #expect(try Self.open(type, url)?.code == CocoaError.Code.fileWriteNoPermission.rawValue)
    #expect(try Self.open(type, url, [NSReadOnlyPersistentStoreOption: true]) == nil)
    let error = #expect(throws: NSError.self) { try Self.insert("a", coordinator) }
    #expect(error?.code == CocoaError.Code.fileWriteNoPermission.rawValue)
  }

  @Test(arguments: types) func modeAndSymbolicLinksStay(_ type: String) throws {
    let url = try Self.url()
    let link = url.deletingLastPathComponent().appendingPathComponent("link")
    try FileManager.default.createSymbolicLink(at: link, withDestinationURL: url)
    let coordinator = try AtomicModel.coordinator(type, link)
    chmod(url.path, 0o640)
    try Self.insert("a", coordinator)
    let attributes = try FileManager.default.attributesOfItem(atPath: url.path)
    #expect(attributes[.posixPermissions] as? Int == 0o640)
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link.path) == url.path)
    #expect(try Self.texts(try AtomicModel.coordinator(type, url)) == ["a"])
  }

  @Test(arguments: types) func destroyingByALinkRemovesTheFile(_ type: String) throws {
    let url = try Self.url()
    let link = url.deletingLastPathComponent().appendingPathComponent("link")
    try FileManager.default.createSymbolicLink(at: link, withDestinationURL: url)
    let coordinator = try AtomicModel.coordinator(type, url)
    try Self.insert("a", coordinator)
    try coordinator.destroyPersistentStore(at: link, ofType: type, options: nil)
    #expect(!FileManager.default.fileExists(atPath: url.path))
    // The link leads to the place of a new store.
    try Self.insert("b", AtomicModel.coordinator(type, link))
    #expect(try Self.texts(try AtomicModel.coordinator(type, url)) == ["b"])
  }

  @Test(arguments: types) func metadataOfClosedStores(_ type: String) throws {
    let url = try Self.url()
    let coordinator = try AtomicModel.coordinator(type, url)
    try Self.insert("a", coordinator)
    let store = coordinator.persistentStores[0]
    var metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(ofType: type, at: url)
    #expect(metadata[NSStoreUUIDKey] as? String == store.identifier)
    #expect(metadata[NSStoreTypeKey] as? String == type)
    #expect(
      (metadata[NSStoreModelVersionHashesKey] as? [String: Data])?.keys.sorted() == ["Item", "SpecialItem", "Step"])
    metadata["mine"] = ["text": "a\r\n<&>", "date": Date(timeIntervalSinceReferenceDate: 9), "number": 1.5]
    try NSPersistentStoreCoordinator.setMetadata(metadata, forPersistentStoreOfType: type, at: url)
    let again = try AtomicModel.coordinator(type, url)
    let mine = again.metadata(for: again.persistentStores[0])["mine"] as? [String: Any]
    #expect(mine?["text"] as? String == "a\r\n<&>")
    #expect(mine?["date"] as? Date == Date(timeIntervalSinceReferenceDate: 9))
    #expect(mine?["number"] as? Double == 1.5)
    #expect(try Self.texts(again) == ["a"])
    // The store that is open has not read the file since.
    let error = #expect(throws: NSError.self) { try Self.insert("b", coordinator) }
    #expect(error?.code == NSPersistentStoreSaveConflictsError)
    again.persistentStores[0].metadata["own"] = NSObject()
    let wrong = #expect(throws: NSError.self) { try again.inContext { try $0.save() } }
    #expect(wrong?.code == CocoaError.Code.propertyListWriteInvalid.rawValue)
  }

  @Test(arguments: types) func aStoreWithoutAFile(_ type: String) throws {
    let coordinator = try AtomicModel.coordinator(type, URL(fileURLWithPath: "/dev/null"))
    try Self.insert("a", coordinator)
    #expect(try Self.texts(coordinator) == ["a"])
    let attributes = try FileManager.default.attributesOfItem(atPath: "/dev/null")
    #expect(attributes[.type] as? FileAttributeType == .typeCharacterSpecial)
    #expect(
      try Self.open(type, URL(string: "https://example.org/") ?? URL(fileURLWithPath: "/"))?.code
        == NSPersistentStoreOpenError)
  }

  /// Damage is an error, or a store that can be used; it never stops the program.
  @Test(arguments: types) func damagedFiles(_ type: String) throws {
    var generator = SeededGenerator(for: "damaged \(type)")
    let url = try Self.url()
    let model = AtomicModel.make()
    let coordinator = try AtomicModel.coordinator(type, url, model)
    try coordinator.inContext { context in
      var serial: Int64 = 0
      for _ in 0..<3 {
        try AtomicModel.change(context, &generator, serial: &serial)
        try context.save()
      }
    }
    let good = try Data(contentsOf: url)
    for _ in 0..<(150 * Soak.factor) {
      var data = good
      for _ in 0..<Int.random(in: 1...3, using: &generator) {
        let place = Int.random(in: 0..<data.count, using: &generator)
        switch Int.random(in: 0..<4, using: &generator) {
        case 0: data[place] = UInt8.random(in: 0...255, using: &generator)
        case 1: data[place] ^= 1 << UInt8.random(in: 0...7, using: &generator)
        case 2: data.removeSubrange(place..<min(data.count, place + Int.random(in: 1...20, using: &generator)))
        default: data.insert(contentsOf: data.prefix(place).suffix(12), at: place)
        }
      }
      try data.write(to: url)
      do {
        let damaged = try AtomicModel.coordinator(type, url, model)
        try damaged.inContext { context in
          _ = try AtomicModel.dump(context)
          _ = NSEntityDescription.insertNewObject(forEntityName: "Step", into: context)
          try context.save()
        }
        #expect(try Self.open(type, url) == nil, "a saved store cannot be read")
      } catch let error as NSError {
        let expected = [CocoaError.Code.fileReadCorruptFile.rawValue, NSPersistentStoreIncompatibleVersionHashError]
        #expect(error.domain == NSCocoaErrorDomain && expected.contains(error.code), "\(error)")
        #expect(try Data(contentsOf: url) == data, "a damaged file was changed")
      }
    }
  }

  @Test(arguments: types) func severalStoresSaveToOneFile(_ type: String) throws {
    let url = try Self.url()
    try Self.insert("first", AtomicModel.coordinator(type, url))
    // Whoever is told of others' changes reads again: no text that was saved is lost.
    Soak.threads(4) { thread in
      for step in 0..<5 {
        while true {
          let coordinator = try AtomicModel.coordinator(type, url)
          do {
            try Self.insert("\(thread).\(step)", coordinator)
            break
          } catch let error as NSError where error.code == NSPersistentStoreSaveConflictsError {
            continue
          }
        }
      }
    }
    #expect(try Self.texts(try AtomicModel.coordinator(type, url)).count == 21)
  }
}
