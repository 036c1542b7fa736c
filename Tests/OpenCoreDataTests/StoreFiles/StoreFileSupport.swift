import CoreData
import Testing

@_spi(Store) @testable import OpenCoreData

/// Stores for tests of files.
enum FileStore {
  /// Opens a store of the library, or makes it.
  static func open(_ url: URL, _ options: [AnyHashable: Any]? = nil, _ model: NSManagedObjectModel? = nil) throws
    -> NSPersistentStoreCoordinator
  {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model ?? TestModel.library())
    try coordinator.addPersistentStore(ofType: NSSQLiteStoreType, configurationName: nil, at: url, options: options)
    return coordinator
  }

  /// Saves authors of these names.
  static func add(_ names: [String], to coordinator: NSPersistentStoreCoordinator) throws {
    try coordinator.inContext { (context) throws in
      for name in names { _ = context.make("Author", ["name": name]) }
      try context.save()
    }
  }

  static func names(_ coordinator: NSPersistentStoreCoordinator) throws -> [String] {
    try coordinator.inContext { try $0.names("Author") }
  }

  /// The names of the authors in a store that is not open.
  static func names(at url: URL) throws -> [String] { try names(open(url)) }

  /// A store with authors of these names, closed.
  static func make(_ names: [String], at url: URL? = nil, options: [AnyHashable: Any]? = nil) throws -> URL {
    let url = try url ?? TestModel.temporaryFile()
    let coordinator = try open(url, options)
    try add(names, to: coordinator)
    try close(coordinator)
    return url
  }

  static func close(_ coordinator: NSPersistentStoreCoordinator) throws {
    for store in coordinator.persistentStores { try coordinator.remove(store) }
  }

  /// The files in the store's folder, by name.
  static func files(beside url: URL) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: url.deletingLastPathComponent().path).sorted()
  }

  /// Copies a store with its log, as a crash would leave it.
  static func crashedCopy(of url: URL) throws -> URL {
    let copy = try TestModel.temporaryFile()
    for suffix in ["", "-wal"] {
      // By another process: what this one opens and closes loses its locks.
      _ = try Shell.run(URL(fileURLWithPath: "/bin/cp"), [url.path + suffix, copy.path + suffix])
    }
    return copy
  }

  /// Puts a value into a file of its own, as Apple's framework does, and gives the file.
  static func addExternalValue(_ bytes: Data, to url: URL, author: String, table: String = "ZBOOK") throws -> URL {
    let name = UUID().uuidString
    let folder = ExternalStorage.supportFolder(forStoreAt: url).appendingPathComponent("_EXTERNAL_DATA")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try bytes.write(to: folder.appendingPathComponent(name))
    let value = "02" + name.utf8.map { String(format: "%02X", Int($0)) }.joined() + "00"
    try Shell.sql(
      url,
      "INSERT INTO ZBOOK (Z_PK, Z_ENT, Z_OPT, ZTITLE, ZCOVER) SELECT COALESCE(MAX(Z_PK), 0) + 1, 2, 1, '\(author)', "
        + "x'\(value)' FROM ZBOOK; UPDATE Z_PRIMARYKEY SET Z_MAX = (SELECT MAX(Z_PK) FROM ZBOOK) WHERE Z_ENT = 2")
    return folder.appendingPathComponent(name)
  }

  /// The code of the error that `body` throws; nil if it throws none.
  static func code(_ body: () throws -> Void) -> Int? {
    do {
      try body()
      return nil
    } catch { return (error as NSError).domain == NSCocoaErrorDomain ? (error as NSError).code : -1 }
  }
}
