/// A store whose rows are in tables that a schema describes.
protocol RelationalStore: NSPersistentStore {
  var schema: SQLModel { get }
}
