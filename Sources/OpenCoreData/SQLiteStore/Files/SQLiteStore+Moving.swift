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
    readers.reopen(opened.openReader)
    writer.exchange(opened.connection)
    setPlace(url, path: opened.path)
    setStoredMetadata(opened.metadata)
    forgetEverything()
    _ = writer.seesForeignCommit()
    RemoteChanges.stop(ObjectIdentifier(self))
    RemoteChanges.watch(self, for: coordinator)
    return true
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
