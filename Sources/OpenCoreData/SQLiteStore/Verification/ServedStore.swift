/// A store on a server. It describes and checks itself, because there is no file to inspect.
package protocol ServedStore: NSPersistentStore {
  /// Returns what is known of the store besides its entities, as titles and texts. Everything is read in one state of the
  /// store.
  func description() throws -> [(title: String, text: String)]

  /// Returns how much of the store each table of objects takes.
  func tableSizes() throws -> [StoredTableSize]

  /// Returns all problems of the store, in one state of the store.
  ///
  /// A check that cannot be made is reported as a problem, and the other checks are still made.
  /// - Parameter progress: called with the subject of a check, its number from 1, and how many checks there are.
  func problems(progress: (String, Int, Int) -> Void) throws -> [StoreProblem]
}
