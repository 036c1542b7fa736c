import CSQLite
import Foundation
import OpenCocoaFoundation

/// Opens a store file, or creates it, and checks that it fits the model. A file that does not fit is left untouched.
struct OpenedStore {
  /// The URL that the store was given.
  let url: URL
  /// The path of the file, after symbolic links.
  let path: String
  let identifier: String
  let metadata: [String: Any]
  /// The names of the entities that the store holds; empty if no configuration is given.
  let entityNames: Set<String>
  let schema: SQLModel
  let connection: SQLiteConnection
  let options: StoreOptions
  /// Whether commits go to a write-ahead log, so that readers and the writer do not wait for each other.
  let hasLog: Bool
  /// Whether the store is in a folder of its own, which is removed when the store is closed.
  let isPrivate: Bool
  /// The place of large values.
  let values: ExternalStorage
  /// Writes large values to files; nil if no attribute allows that, or if the store is read-only.
  let external: ExternalWriter?
  let openReader: () throws -> SQLiteConnection
  /// The files that reading creates beside a store that is opened read-only; they are removed when the store is closed. Nil
  /// for other stores.
  let traces: ReadingTraces?

  /// - Throws: An error with the path, the reason and Apple's code: 259 if the file is not a database or is truncated, 256 if
  ///   it cannot be opened, 260 if it does not exist (read-only), 513 if it cannot be written, 134020 for names that no table
  ///   or column can have, 134090 if it is locked, 134100 if it was written with another model.
  init(url: URL, model: NSManagedObjectModel, configuration: String?, options: [AnyHashable: Any]?) throws {
    self.url = url
    isPrivate = url.path == "/dev/null"
    let options = try StoreOptions(options)
    self.options = options
    let (isReadOnly, timeout) = (options.isReadOnly, options.timeout)
    let files = isPrivate ? nil : try StoreFiles(url)
    path = try files?.path ?? PrivateStoreFolder.make()
    guard let all = model.entities(forConfigurationName: configuration) else {
      throw NSError(
        coreData: NSPersistentStoreOpenError, "The model has no configuration named '\(configuration ?? "")'.")
    }
    try NameCheck.check(all, storeAt: url)
    let exists = FileManager.default.fileExists(atPath: path)
    if isReadOnly, !exists {
      throw NSError(
        coreData: CocoaError.Code.fileReadNoSuchFile.rawValue,
        "The store cannot be opened for reading only: there is no file at \(path).", [NSFilePathErrorKey: path])
    }
    let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
    if !exists, !isPrivate, !FileManager.default.fileExists(atPath: folder) {
      throw NSError(
        coreData: CocoaError.Code.fileReadUnknown.rawValue,
        "The store at \(path) cannot be made: there is no folder \(folder).", [NSFilePathErrorKey: path])
    }
    let (stored, copy) = try exists ? Self.inspect(path, options: options) : (nil, nil)
    let entities =
      model.entities(forConfigurationName: configuration, heldByStoreWith: stored?.properties) ?? all
    entityNames = configuration == nil ? [] : Set(entities.compactMap(\.name))
    if let stored, !options.ignoresVersion { try Self.check(stored, path: path, entities: entities) }
    let hasContent = stored != nil
    if exists, !hasContent, isReadOnly { throw Self.unfilled(path) }
    if !hasContent { try SQLModel.checkLimits(of: entities, path: path) }
    let (path, isPrivate) = (path, isPrivate)
    traces = isReadOnly ? ReadingTraces(before: path) : nil
    let place = try isReadOnly ? StoreInspection.readingPlace(path, timeout: timeout, known: copy) : .shared
    let layoutPragmas = hasContent ? [] : options.layoutPragmas
    let pragmas = (isReadOnly ? options.readerPragmas : options.writerPragmas)(isPrivate)
    let open = {
      let connection = try SQLiteConnection(
        path: path, readOnly: options.isReadOnly, create: true, immutable: place.isImmutable, copy: place.copy,
        timeout: timeout, pragmas: layoutPragmas)
      if !options.isReadOnly, sqlite3_db_readonly(connection.handle, "main") == 1 {
        throw NSError(
          coreData: CocoaError.Code.fileWriteNoPermission.rawValue, "The store at \(path) cannot be written.",
          [NSFilePathErrorKey: path])
      }
      for (name, value) in pragmas { _ = try connection.rows("PRAGMA \(name)=\(value)") }
      return connection
    }
    connection = try isReadOnly ? open() : SharedIndex.writable(timeout: timeout, open)
    hasLog = try connection.rows("PRAGMA journal_mode").first?[0] == "wal"
    schema = try SQLModel.shared(entities, of: model, in: connection)
    if !hasContent {
      try Self.create(schema, model: model, entities: entities, ignoresVersion: options.ignoresVersion, on: connection)
    }
    if csqlite_has_moved(connection.handle) != 0 {
      throw NSError(
        coreData: NSPersistentStoreOpenError, "The store at \(path) was removed while it was being opened.",
        [NSFilePathErrorKey: path])
    }
    if hasContent, LaunchArguments.current.checksIntegrity { try Self.checkIntegrity(connection) }
    if hasContent, !isReadOnly {
      if options.vacuums { try connection.execute("VACUUM") }
      if options.analyzes { try connection.execute("ANALYZE") }
    }
    guard let written = try StoreMetadata(connection) else {
      throw NSError(
        coreData: CocoaError.Code.fileReadCorruptFile.rawValue,
        "The file at \(path) is a SQLite database, but not a Core Data store: it has no metadata.",
        [NSFilePathErrorKey: path])
    }
    if !isReadOnly, let files {
      StrayedValues.move(files)
      WorkingFolder.removeLeftOver(beside: path)
      ExternalFileCleaning.removeLeftByKilled(storePath: path)
    }
    if !isReadOnly, options.history.isTracked { try HistoryTables.prepare(schema, connection) }
    identifier = written.identifier
    metadata = written.dictionary
    let values = files?.external ?? ExternalStorage(storePath: path)
    self.values = values
    try connection.findStrayedValues(of: values)
    external = try isReadOnly ? nil : Self.externalWriter(schema, values, connection)
    let file = FileIdentity(path)
    openReader = {
      // Another file must not be taken for this store: SQLite would also use the log of one file for the other.
      guard FileIdentity(path) == file else { throw FileIdentity.movedError(.fileReadUnknown, path) }
      let reader = try SQLiteConnection(
        path: path, readOnly: true, create: false, immutable: place.isImmutable, copy: place.copy, timeout: timeout,
        pragmas: [])
      for (name, value) in options.readerPragmas(isPrivate: isPrivate) {
        _ = try reader.rows("PRAGMA \(name)=\(value)")
      }
      try reader.findStrayedValues(of: values)
      return reader
    }
  }

  /// Returns the error for opening a store read-only that was destroyed or never filled.
  private static func unfilled(_ path: String) -> NSError {
    NSError(
      coreData: CocoaError.Code.fileWriteNoPermission.rawValue,
      "The store at \(path) cannot be opened for reading only: it was destroyed or never filled, and would have to be made.",
      [NSFilePathErrorKey: path])
  }

  /// Reads the metadata of an existing file without changing it; returns nil for those of an empty database, and the private
  /// copy if the file could only be read through one. The remainder of a destroyed store is removed.
  private static func inspect(
    _ path: String, options: StoreOptions
  ) throws -> (metadata: StoreMetadata?, copy: ReadingCopy?) {
    try StoreFileHeader.check(path)
    let (metadata, isEmptied, copy) = try look(path, options)
    // The connection that has looked is closed here: where a killed process has left a log, its lock, or its index that can
    // only be read, would be in the way.
    if isEmptied, !options.isReadOnly { try StoreDestruction.removeEmptied(path, timeout: options.timeout) }
    return (metadata, copy)
  }

  private static func look(
    _ path: String, _ options: StoreOptions
  ) throws -> (metadata: StoreMetadata?, isEmptied: Bool, copy: ReadingCopy?) {
    let connection = try StoreInspection.open(path, timeout: options.timeout)
    guard try connection.integer("SELECT COUNT(*) FROM sqlite_master") != 0 else {
      return (nil, try StoreDestruction.isEmptied(connection), connection.copy)
    }
    guard let metadata = try StoreMetadata(connection) else {
      throw NSError(
        coreData: CocoaError.Code.fileReadCorruptFile.rawValue,
        "The file at \(path) is a SQLite database, but not a Core Data store: it has no row in Z_METADATA.",
        [NSFilePathErrorKey: path])
    }
    return (metadata, false, connection.copy)
  }

  /// - Throws: 134100 with the names of the entities that differ.
  private static func check(_ metadata: StoreMetadata, path: String, entities: [NSEntityDescription]) throws {
    let differences = metadata.differences(from: entities)
    guard differences.isEmpty else {
      throw NSError(
        coreData: NSPersistentStoreIncompatibleVersionHashError,
        "The model used to open the store at \(path) is incompatible with the one used to create it; "
          + "these entities differ: \(differences.joined(separator: ", ")).",
        [
          NSFilePathErrorKey: path, "metadata": metadata.dictionary, "entities": differences,
          "reason": "The model used to open the store is incompatible with the one used to create the store",
        ])
    }
  }

  private static func externalWriter(
    _ schema: SQLModel, _ values: ExternalStorage, _ connection: SQLiteConnection
  ) throws -> ExternalWriter? {
    let columns = ExternalColumn.all(in: schema)
    guard !columns.isEmpty else { return nil }
    let writer = try ExternalWriter(values, connection: connection)
    try ExternalTriggers.install(columns, for: writer, on: connection)
    return writer
  }

  /// Checks the file if the program was started with `-com.apple.CoreData.SQLiteIntegrityCheck 1`.
  /// - Throws: 259 with SQLite's findings.
  private static func checkIntegrity(_ connection: SQLiteConnection) throws {
    let findings = try connection.rows("PRAGMA integrity_check").compactMap { $0[0] }
    guard findings != ["ok"] else { return }
    for finding in findings { FrameworkLog.write(.error, "Integrity check of \(connection.path): \(finding)") }
    throw NSError(
      coreData: CocoaError.Code.fileReadCorruptFile.rawValue,
      "The integrity check of the store at \(connection.path) failed: \(findings.joined(separator: "; "))",
      [NSFilePathErrorKey: connection.path, "findings": findings])
  }

  /// Creates the tables and the metadata of a new store in one transaction.
  private static func create(
    _ schema: SQLModel, model: NSManagedObjectModel, entities: [NSEntityDescription], ignoresVersion: Bool,
    on connection: SQLiteConnection
  ) throws {
    try connection.execute("BEGIN EXCLUSIVE")
    do {
      // Another process may have created the store meanwhile.
      if let metadata = try StoreMetadata(connection) {
        try connection.execute("ROLLBACK")
        return ignoresVersion ? () : try check(metadata, path: connection.path, entities: entities)
      }
      try SchemaCreation.run(DDL.statements(for: schema), on: connection)
      let row = try connection.statement("INSERT INTO Z_PRIMARYKEY (Z_ENT, Z_NAME, Z_SUPER, Z_MAX) VALUES(?, ?, ?, 0)")
      for (number, name, superentity) in DDL.primaryKeyRows(of: schema) {
        row.bind(Int64(number), at: 1)
        row.bind(name, at: 2)
        row.bind(Int64(superentity), at: 3)
        try row.run()
      }
      var metadata = StoreMetadata(model: model, entities: entities)
      metadata.properties["_NSAutoVacuumLevel"] = "\(try connection.integer("PRAGMA auto_vacuum") ?? 0)"
      try metadata.write(connection)
      let cache = try connection.statement("INSERT INTO Z_MODELCACHE (Z_CONTENT) VALUES(?)")
      cache.bind(try ModelCache.encode(model), at: 1)
      try cache.run()
      try connection.execute("COMMIT")
    } catch {
      try? connection.execute("ROLLBACK")
      throw error
    }
  }
}
