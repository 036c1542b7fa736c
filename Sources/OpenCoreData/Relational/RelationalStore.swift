/// A store whose rows are in tables that a schema describes.
package protocol RelationalStore: NSPersistentStore {
  var schema: SQLModel { get }
}
