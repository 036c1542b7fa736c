import CommandSupport
import CoreData
import Foundation
@_spi(Store) import OpenCoreData

/// The kind of a store: of a file by its first bytes, or of a URL by its scheme.
public enum StoreKind: String, Encodable, Sendable {
  /// A SQLite database.
  case sqlite = "SQLite"
  /// An XML document.
  case xml = "XML"
  /// A keyed archive.
  case binary = "binary"
  /// A schema of a PostgreSQL server.
  case postgreSQL = "PostgreSQL"
  /// A web service, which a store class of the program asks for its objects.
  case service = "web service"
  /// A file that is no store of a known kind.
  case unknown

  /// The kind of the store at a place.
  /// - Throws: a `ToolError` if there is no such file, the file cannot be read, or the program has no store class for the URL.
  public static func of(_ url: URL) throws -> StoreKind {
    if StorePlace.isService(url) {
      try StorePlace.requireServices(for: url)
      return .service
    }
    if !url.isFileURL {
      try StorePlace.registerServers(for: url)
      return .postgreSQL
    }
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder) else {
      throw ToolError("There is no file at \(url.path). Expected a store.")
    }
    if isFolder.boolValue { throw ToolError("\(url.path) is a folder. Expected a store.") }
    guard access(url.path, R_OK) == 0 else {
      throw ToolError("The file at \(url.path) cannot be read: \(String(cString: strerror(errno))).")
    }
    // Opening a pipe would wait for its other end.
    guard RegularFile.isThere(url) else { throw ToolError("\(url.path) is no regular file. Expected a store.") }
    let size = try? FileManager.default.attributesOfItem(atPath: url.resolvingSymlinksInPath().path)[.size] as? NSNumber
    // SQLite would open an empty file as a database without tables.
    if size == 0 { throw ToolError("The file at \(url.path) is empty. Expected a store.") }
    if StoredModel.isDatabase(url) { return .sqlite }
    // Only a file that is not a database is opened here: closing a file drops the locks that SQLite has on it in this
    // process.
    guard let handle = try? FileHandle(forReadingFrom: url) else {
      throw ToolError("The file at \(url.path) cannot be read: \(String(cString: strerror(errno))).")
    }
    defer { try? handle.close() }
    let start = (try? handle.read(upToCount: 512)) ?? Data()
    if start.starts(with: "bplist".utf8) { return .binary }
    let text = String(decoding: start, as: UTF8.self)
    return text.contains("<!DOCTYPE database") || text.contains("<database") ? .xml : .unknown
  }

  /// Whether the store is a file that SQLite can open.
  public var isSQLite: Bool { self == .sqlite }

  /// Whether rows are in tables, which SQL changes in place. The objects of such a store have permanent numbers; in a store
  /// that is one XML or binary file, or a web service, they are numbered anew each time that the store is copied to be read.
  public var isDatabase: Bool { self == .sqlite || self == .postgreSQL }

  /// The store type for coordinators; that of SQLite for a file that is no store.
  package var type: String {
    switch self {
    case .sqlite, .unknown: NSSQLiteStoreType
    case .xml: NSXMLStoreType
    case .binary: NSBinaryStoreType
    case .postgreSQL: StorePlace.serverType
    case .service: StorePlace.serviceType
    }
  }

  /// Returns the metadata of a store.
  /// - Throws: a ``ToolError`` for a file that only begins like a store, and for a place in a server without a store.
  package func metadata(_ url: URL) throws -> [String: Any] {
    try requireStore(url)
    do {
      return try NSPersistentStoreCoordinator.metadataForPersistentStore(ofType: type, at: url)
    } catch {
      throw ToolError(StoreErrors.text(of: error))
    }
  }

  /// Returns the copy of its model that a store in a server keeps; nil for a store in one file, which keeps no copy.
  /// - Throws: a ``ToolError`` if the copy cannot be read.
  package func keptModel(_ url: URL) throws -> NSManagedObjectModel? {
    do {
      return try NSPersistentStoreCoordinator.registeredStoreTypes[type]?
        .keptModel(at: MigrationPlace(url, type, nil))
    } catch {
      throw ToolError(StoreErrors.text(of: error))
    }
  }

  /// Returns the number of objects of each entity in a store in one file, which needs no model; nil for another store.
  /// - Throws: the errors of reading the file.
  func objectCounts(_ url: URL) throws -> [String: Int]? {
    try StoreFileCounts.counts(at: url, ofType: type)
  }

  /// Makes a coordinator and opens a store in it; without other options, for reading only.
  /// - Throws: a ``ToolError`` if the store cannot be opened.
  package func coordinator(
    of url: URL, model: NSManagedObjectModel, options: [AnyHashable: Any] = [NSReadOnlyPersistentStoreOption: true]
  ) throws -> NSPersistentStoreCoordinator {
    let metadata = try metadata(url)
    // The store may hold only one configuration of the model.
    let name = model.configurations.first { model.isConfiguration(withName: $0, compatibleWithStoreMetadata: metadata) }
    let isWhole = model.isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata)
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    do {
      try coordinator.addPersistentStore(
        ofType: type, configurationName: isWhole ? nil : name, at: url, options: options)
    } catch {
      throw ToolError(StoreErrors.text(of: error))
    }
    return coordinator
  }

  /// - Throws: a ``ToolError`` for a file that is no store.
  package func requireStore(_ url: URL) throws {
    guard self == .unknown else { return }
    throw ToolError("\(url.path) is no store: it does not begin as a SQLite database does.")
  }

  /// - Throws: a ``ToolError`` for any other kind.
  package func requireSQLite(_ url: URL) throws {
    try requireStore(url)
    if isSQLite { return }
    throw ToolError("\(url.shown) is a store of the kind \(rawValue). This command needs a SQLite store.")
  }
}
