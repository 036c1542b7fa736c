import CSQLite
import Foundation

// Replaces the file of an open store by another file.
extension SQLiteStore {
  /// Reads and writes the store at `url` from now on. Returns false if that store cannot be used in place of this one; then
  /// nothing has changed.
  func moveFile(to url: URL) -> Bool {
    // What reads external values knows their folder.
    guard !isPrivate, ExternalColumn.all(in: schema).isEmpty, let coordinator,
      (try? StoreMetadata.read(at: url, options: options)) != nil,
      let opened = try? OpenedStore(
        url: url, model: coordinator.managedObjectModel,
        configuration: isDefaultConfiguration ? nil : configurationName, options: options),
      opened.schema.isLaidOutLike(schema)
    else { return false }
    take(opened, coordinator)
    return true
  }

  /// Copies the store to `url`, and reads and writes the copy from now on. External values are copied, too.
  /// - Throws: 134050 if others have written the store since `commit`; the errors of copying and opening.
  func moveIntoCopy(at url: URL, since commit: UInt64) throws -> Bool {
    guard !isPrivate, let coordinator else { return false }
    // The copy is only for this process, which does not keep its history, and needs no care of a store.
    let own = [
      NSReadOnlyPersistentStoreOption, NSPersistentHistoryTrackingKey,
      NSPersistentStoreRemoteChangeNotificationPostOptionKey, NSSQLiteManualVacuumOption, NSSQLiteAnalyzeOption,
    ]
    let options = (options ?? [:]).filter { !own.contains($0.key as? String ?? "") }
    try StoreReplacement.replace(
      StoreFiles(url), options: StoreOptions(options), with: StoreFiles(givenPlace),
      sourceOptions: StoreOptions(options))
    _ = writer.seesForeignCommit()
    guard latestCommit == commit else {
      throw NSError(
        coreData: NSPersistentStoreSaveConflictsError,
        "The store at \(path) was written by others while it was read, so that its copy has other objects: try again.",
        [NSFilePathErrorKey: path])
    }
    let opened = try OpenedStore(
      url: url, model: coordinator.managedObjectModel,
      configuration: isDefaultConfiguration ? nil : configurationName, options: options)
    keepValues(at: opened.values)
    take(opened, coordinator)
    isReadOnly = false
    return true
  }

  private func take(_ opened: OpenedStore, _ coordinator: NSPersistentStoreCoordinator) {
    readers.reopen(opened.openReader)
    writer.exchange(opened.connection, external: opened.external)
    setPlace(opened.url, path: opened.path)
    setStoredMetadata(opened.metadata)
    forgetEverything()
    _ = writer.seesForeignCommit()
    RemoteChanges.stop(ObjectIdentifier(self))
    RemoteChanges.watch(self, for: coordinator)
  }
}

extension SQLModel {
  /// Whether statements that were made for one of the two models are right for the other.
  fileprivate func isLaidOutLike(_ other: SQLModel) -> Bool {
    func joins(_ model: SQLModel) -> [[String]] {
      model.tables.flatMap(\.joinTables).map {
        [$0.name, $0.sourceColumn, $0.destinationColumn] + $0.orderColumns
      }
    }
    return entities.map(\.tableName) == other.entities.map(\.tableName)
      && entities.map { $0.columns.flatMap(\.names) } == other.entities.map { $0.columns.flatMap(\.names) }
      && tables.map { $0.ownerColumns.map(\.keyColumn) } == other.tables.map { $0.ownerColumns.map(\.keyColumn) }
      && joins(self) == joins(other)
  }
}
