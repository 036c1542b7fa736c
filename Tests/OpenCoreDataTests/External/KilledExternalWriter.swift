import CoreData
import Foundation
import Testing

@_spi(Store) @testable import OpenCoreData

/// A process that replaces, deletes and inserts external values until it is killed.
///
/// Save n gives each of the values that it changes the bytes of n, and notes n beside them in the row: so a row tells what its
/// file must have.
enum KilledExternalWriter {
  static let pictures = 3
  private static let size = 110_000

  /// How many ways there are to open a store, the last two of which are without a log.
  static let modes = 4

  /// How a store is opened: with a long log, with one that is copied into the file all the time, without one.
  private static func options(_ mode: Int) -> [AnyHashable: Any] {
    let pragmas: [String: String] =
      switch mode % modes {
      case 0: [:]
      case 1: ["wal_autocheckpoint": "8"]
      case 2: ["journal_mode": "DELETE"]
      default: ["journal_mode": "TRUNCATE"]
      }
    return [NSSQLitePragmasOption: pragmas]
  }

  static func open(_ path: String, mode: Int) throws -> NSPersistentStoreCoordinator {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: ExternalFixture.model())
    try coordinator.addPersistentStore(
      ofType: NSSQLiteStoreType, configurationName: nil, at: URL(fileURLWithPath: path), options: options(mode))
    return coordinator
  }

  /// Opens the store, and saves until a thread of its own kills the process: `microseconds` after that many saves.
  static func run(_ path: String, mode: Int, seed: UInt64, after saves: Int, microseconds: Int) throws {
    var random = SeededGenerator(seed: seed)
    let gate = DispatchSemaphore(value: saves == 0 ? 1 : 0)
    Thread.detachNewThread {
      gate.wait()
      usleep(UInt32(microseconds))
      kill(getpid(), SIGKILL)
    }
    let context = TestModel.context(try open(path, mode: mode))
    for done in 1... {
      try context.performAndWait { try save(in: context, &random) }
      if done == saves { gate.signal() }
    }
  }

  /// One save: most change one value or two, some delete a row or leave a value out.
  private static func save(in context: NSManagedObjectContext, _ random: inout SeededGenerator) throws {
    let photos = try context.all("Photo")
    let number = (photos.compactMap(saveNumber).max() ?? 0) + 1
    let photo =
      photos.count < pictures
      ? context.make("Photo", ["name": UUID().uuidString]) : photos[Int.random(in: 0..<photos.count, using: &random)]
    switch Int.random(in: 0..<6, using: &random) {
    case 0 where photos.count == pictures: context.delete(photo)
    case 1: set(photo, number, data: nil)
    default: set(photo, number, data: bytes(number))
    }
    if Bool.random(using: &random), let other = photos.first, other !== photo {
      set(other, number, data: bytes(number))
    }
    if photos.count == pictures, photo.isDeleted {
      _ = context.make("Photo", ["name": UUID().uuidString, "plain": Data("\(number)".utf8), "data": bytes(number)])
    }
    try context.save()
  }

  private static func set(_ photo: NSManagedObject, _ number: Int, data: Data?) {
    photo.setValue(Data("\(number)".utf8), forKey: "plain")
    photo.setValue(data, forKey: "data")
    photo.setValue(data == nil ? bytes(number) : nil, forKey: "negative")
  }

  private static func bytes(_ number: Int) -> Data {
    ExternalFixture.bytes(size + number % 1000, UInt8(truncatingIfNeeded: number))
  }

  private static func saveNumber(of photo: NSManagedObject) -> Int? {
    (photo.value(forKey: "plain") as? Data).flatMap { Int(String(decoding: $0, as: UTF8.self)) }
  }

  // MARK: What a store must be

  /// Every row has the value that it names: one of a save that was whole.
  static func check(_ coordinator: NSPersistentStoreCoordinator, _ name: String) throws {
    try coordinator.inContext { context in
      for photo in try context.all("Photo") {
        let number = try #require(saveNumber(of: photo), "\(name)")
        let values = ["data", "negative"].compactMap { photo.value(forKey: $0) as? Data }
        #expect(values == [bytes(number)], "\(name), save \(number)")
      }
    }
  }
}
