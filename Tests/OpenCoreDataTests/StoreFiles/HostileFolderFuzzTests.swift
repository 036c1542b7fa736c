import CoreData
import FuzzSupport
import Testing

@_spi(Store) @testable import OpenCoreData

/// Anything may lie in the folder of a store's external values: whatever is done with the store ends with an answer or an
/// error, nothing outside of the folder is read or changed, and no value is lost.
@Suite struct HostileFolderFuzzTests {
  typealias Fixture = ExternalFixture

  enum Operation: CaseIterable {
    case open, read, save, copy, inspect, verify, migrate, clean, look
  }

  @Test(.timeLimit(.minutes(60))) func whateverIsInTheFolder() throws {
    try FuzzCampaign("hostile folder", cases: 12).run { seed in
      var random = SeededGenerator(seed: seed)
      try attack(&random, "case \(seed)")
    }
  }

  private func attack(_ random: inout SeededGenerator, _ name: String) throws {
    let store = try Fixture()
    let values = (0..<3).map { Fixture.bytes(110_000 + $0, UInt8($0)) }
    try store.inContext { context in
      for (number, value) in values.enumerated() { _ = context.make("Picture", ["name": "\(number)", "data": value]) }
      try context.save()
    }
    try store.coordinator.remove(store.coordinator.persistentStores[0])
    let outside = try TestModel.temporaryFile("outside"), secret = outside.appendingPathComponent("secret")
    try FileManager.default.createDirectory(at: outside, withIntermediateDirectories: true)
    try Data("the secret".utf8).write(to: secret)
    let before = try FolderContents(outside)
    // Some values go out of the way; things that nobody expects come.
    var aside: [(place: URL, aside: URL)] = []
    for file in store.files().sorted() where Bool.random(using: &random) {
      let place = store.folder.appendingPathComponent(file)
      let other = store.file.deletingLastPathComponent().appendingPathComponent("aside-\(file)")
      try FileManager.default.moveItem(at: place, to: other)
      aside.append((place, other))
      try put(place, secret, &random)
    }
    for _ in 0..<Int.random(in: 0...6, using: &random) {
      let names = [UUID().uuidString, UUID().uuidString.lowercased(), "..name", "a b\u{7}", "Größe", "-rf", "x"]
      let folder = Bool.random(using: &random) ? store.folder : store.folder.deletingLastPathComponent()
      try put(folder.appendingPathComponent(try #require(names.randomElement(using: &random))), secret, &random)
    }
    for _ in 0..<Int.random(in: 3...7, using: &random) {
      let operation = try #require(Operation.allCases.randomElement(using: &random))
      do {
        try perform(operation, store)
      } catch {
        let error = error as NSError
        #expect([NSCocoaErrorDomain, NSPOSIXErrorDomain].contains(error.domain), "\(name), \(operation): \(error)")
      }
      #expect(try FolderContents(outside) == before, "\(name), \(operation)")
    }
    for (place, aside) in aside {
      try remove(place)
      try FileManager.default.moveItem(at: aside, to: place)
    }
    let opened = try Fixture(at: store.file)
    let found = try opened.inContext { context in
      try context.all("Picture", sortedBy: "name").map { $0.value(forKey: "data") as? Data }
    }
    #expect(Set(found) == Set(values), "\(name)")
    try opened.coordinator.destroyPersistentStore(at: store.file, ofType: NSSQLiteStoreType)
    #expect(access(store.folder.path, F_OK) != 0, "\(name)")
    #expect(try FolderContents(outside) == before, "\(name)")
    try FileManager.default.removeItem(at: store.file.deletingLastPathComponent())
    try FileManager.default.removeItem(at: outside.deletingLastPathComponent())
  }

  private func remove(_ place: URL) throws {
    try FolderHandle(place.deletingLastPathComponent().path).removeAll(place.lastPathComponent)
  }

  /// Puts something where a value is expected; what is there already stays.
  private func put(_ place: URL, _ secret: URL, _ random: inout SeededGenerator) throws {
    var status = stat()
    if lstat(place.path, &status) == 0 { return }
    switch Int.random(in: 0..<10, using: &random) {
    case 0: symlink(secret.path, place.path)
    case 1: symlink(secret.deletingLastPathComponent().path, place.path)
    case 2: symlink(place.path, place.path)
    case 3: mkfifo(place.path, 0o666)
    case 4: mknod(place.path, S_IFSOCK | 0o666, 0)
    // Nothing where devices cannot be made.
    case 5: mknod(place.path, S_IFCHR | 0o666, dev_t(0x105))
    case 6:
      let inner = place.appendingPathComponent("a/b/c")
      try FileManager.default.createDirectory(at: inner, withIntermediateDirectories: true)
      symlink("..", inner.appendingPathComponent("up").path)
    case 7:
      // A terabyte of nothing.
      close(open(place.path, O_WRONLY | O_CREAT | O_EXCL, 0o666))
      truncate(place.path, 1 << 40)
    case 8:
      close(open(place.path, O_WRONLY | O_CREAT | O_EXCL, 0))
    default: try Data("not a value".utf8).write(to: place)
    }
  }

  private func perform(_ operation: Operation, _ store: Fixture) throws {
    let target = try TestModel.temporaryFile("Target")
    defer { try? FileManager.default.removeItem(at: target.deletingLastPathComponent()) }
    switch operation {
    case .open: _ = try Fixture(at: store.file)
    case .read:
      try Fixture(at: store.file).inContext { context in
        for picture in try context.all("Picture") { _ = picture.value(forKey: "data") }
        let search = NSFetchRequest<NSManagedObject>(entityName: "Picture")
        search.predicate = NSPredicate(format: "data == %@", Data("the secret".utf8) as NSData)
        #expect(try context.count(for: search) == 0)
      }
    case .save:
      try Fixture(at: store.file).inContext { context in
        for picture in try context.all("Picture") { picture.setValue(Data([1]), forKey: "plain") }
        try context.save()
      }
    case .copy:
      try NSPersistentStoreCoordinator.backUpPersistentStore(at: store.file, to: target)
      let copied = ExternalStorage(storePath: target.path).folder
      #expect(try FileManager.default.contentsOfDirectory(atPath: copied).count <= 3)
    case .inspect:
      try InspectedStore(store.file).objects(of: "Picture") { object in
        for (_, value) in object.attributes {
          if case .data(let data) = value { #expect(data != Data("the secret".utf8)) }
        }
      }
    case .verify:
      #expect(StoreVerification(try InspectedStore(store.file)).problems().allSatisfy { $0.kind != .unreadable })
    case .migrate:
      let opened = try Fixture(at: store.file)
      try opened.coordinator.migratePersistentStore(
        opened.coordinator.persistentStores[0], to: target, withType: NSXMLStoreType)
    case .clean: _ = try ExternalFileCleaning.remove(storeAt: store.file, olderThan: 0)
    case .look: _ = try ExternalFileCleaning(storeAt: store.file, olderThan: 0)
    }
  }
}
