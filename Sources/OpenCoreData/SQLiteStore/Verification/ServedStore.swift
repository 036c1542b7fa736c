/// A store in a server, which describes and checks itself where a file would be looked into.
package protocol ServedStore: NSPersistentStore {
  /// The description of the store, apart from its entities, as titles and texts, all read in one state of the store.
  func description() throws -> [(title: String, text: String)]

  /// The size of each table of objects.
  func tableSizes() throws -> [StoredTableSize]

  /// Everything in the store that is not as it should be, read in one state of the store.
  ///
  /// A check that cannot be made is reported as a problem itself; the others go on.
  /// - Parameter progress: called with the name of a check, its number from 1, and the number of checks.
  func problems(progress: (String, Int, Int) -> Void) throws -> [StoreProblem]
}
