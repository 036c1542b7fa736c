import CSQLite
import CoreData
import Foundation
import OpenCoreData

/// Versions of a model and stores of them, in a folder of their own that is removed with this object.
final class ModelFolder {
  let folder: URL
  /// The folder of versions.
  let model: String

  /// - Parameters:
  ///   - versions: The entities of each version, by its name.
  ///   - current: The current version.
  init(_ versions: [String: String], current: String) throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "MigrateCommandTests-\(UUID().uuidString)")
    let model = folder.appending(path: "models/Library.xcdatamodeld")
    self.model = model.path
    for (name, entities) in versions {
      let package = model.appending(path: "\(name).xcdatamodel")
      try FileManager.default.createDirectory(at: package, withIntermediateDirectories: true)
      try Data("<model>\(entities)</model>".utf8).write(to: package.appending(path: "contents"))
    }
    let info = ["_XCCurrentVersionName": "\(current).xcdatamodel"]
    try PropertyListSerialization.data(fromPropertyList: info, format: .xml, options: 0)
      .write(to: model.appending(path: ".xccurrentversion"))
    try FileManager.default.createDirectory(at: folder.appending(path: "stores"), withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  func version(_ name: String) -> String { "\(model)/\(name).xcdatamodel" }

  func load(_ version: String) throws -> NSManagedObjectModel {
    try NSManagedObjectModel(validatingContentsOf: URL(fileURLWithPath: self.version(version)))
  }

  /// The place of a store.
  func store(_ name: String = "Store.sqlite") -> URL { folder.appending(path: "stores/\(name)") }

  /// Makes a store of a version, and fills it.
  func make(
    _ version: String, _ name: String = "Store.sqlite", type: String = NSSQLiteStoreType,
    fill: (NSManagedObjectContext) throws -> Void
  ) throws -> String {
    try work(version, name, type: type) { context in
      try fill(context)
      try context.save()
    }
    return store(name).path
  }

  /// Works with a store.
  func work<Result>(
    _ version: String, _ name: String = "Store.sqlite", type: String = NSSQLiteStoreType,
    _ body: (NSManagedObjectContext) throws -> Result
  ) throws -> Result {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: try load(version))
    let store = try coordinator.addPersistentStore(
      ofType: type, configurationName: nil, at: store(name), options: nil)
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    let result = try context.performAndWait { try body(context) }
    try coordinator.remove(store)
    return result
  }

  /// Every file beside the stores and below, with its bytes.
  func contents() throws -> [String: Data] {
    let place = folder.appending(path: "stores").path
    var result: [String: Data] = [:]
    for case let name as String in FileManager.default.enumerator(atPath: place) ?? .init() {
      result[name] = FileManager.default.contents(atPath: "\(place)/\(name)") ?? Data()
    }
    return result
  }

  func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.appending(path: "stores").path).sorted()
  }

  /// Runs statements on a store, as nobody should.
  func damage(_ sql: String, _ name: String = "Store.sqlite", keepsLog: Bool = false) throws {
    let database = try PlainConnection(store(name))
    try database.run(sql + (keepsLog ? "" : "; PRAGMA wal_checkpoint(TRUNCATE)"))
  }

  /// Writes a compiled mapping model to a folder of this one.
  /// - Parameter change: Gets what is inferred from the source to itself, by entity, and returns the mappings.
  func mapping(
    _ name: String, from source: String, to destination: String,
    _ change: ([String: NSEntityMapping]) -> [NSEntityMapping]
  ) throws -> String {
    let (old, new) = (try load(source), try load(destination))
    let same = try NSMappingModel.inferredMappingModel(forSourceModel: old, destinationModel: old)
    let known = Dictionary(uniqueKeysWithValues: same.entityMappings.map { ($0.sourceEntityName ?? "", $0) })
    let model = NSMappingModel()
    model.entityMappings = change(known).map { mapping in
      mapping.sourceEntityVersionHash = mapping.sourceEntityName.flatMap { old.entityVersionHashesByName[$0] }
      mapping.destinationEntityVersionHash = mapping.destinationEntityName.flatMap {
        new.entityVersionHashesByName[$0]
      }
      return mapping
    }
    let url = folder.appending(path: name)
    try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try model.write(compiledMappingTo: url)
    return url.path
  }
}

/// A database without the framework.
final class PlainConnection {
  private var handle: OpaquePointer?

  init(_ url: URL) throws {
    guard sqlite3_open(url.path, &handle) == SQLITE_OK else { throw CocoaError(.fileReadUnknown) }
  }

  deinit { sqlite3_close(handle) }

  func run(_ sql: String) throws {
    guard sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK else {
      throw CocoaError(.fileWriteUnknown, userInfo: ["reason": String(cString: sqlite3_errmsg(handle))])
    }
  }

  /// The first column of all rows.
  func texts(_ sql: String) throws -> [String] {
    var statement: OpaquePointer?
    guard sqlite3_prepare_v2(handle, sql, -1, &statement, nil) == SQLITE_OK else {
      throw CocoaError(.fileReadUnknown, userInfo: ["reason": String(cString: sqlite3_errmsg(handle))])
    }
    defer { sqlite3_finalize(statement) }
    var result: [String] = []
    while sqlite3_step(statement) == SQLITE_ROW {
      result.append(sqlite3_column_text(statement, 0).map { String(cString: $0) } ?? "NULL")
    }
    return result
  }
}

extension NSManagedObjectContext {
  @discardableResult
  func make(_ entity: String, _ values: [String: Any] = [:]) -> NSManagedObject {
    let object = NSEntityDescription.insertNewObject(forEntityName: entity, into: self)
    for (key, value) in values { object.setValue(value, forKey: key) }
    return object
  }

  func all(_ entity: String, by key: String) throws -> [NSManagedObject] {
    let request = NSFetchRequest<NSManagedObject>(entityName: entity)
    request.sortDescriptors = [NSSortDescriptor(key: key, ascending: true)]
    return try fetch(request)
  }
}
