/// A store in a server, which describes and checks itself where a file would be looked into.
package protocol ServedStore: NSPersistentStore {
  /// What there is to know of the store besides its entities, as titles and texts, in one state of the store.
  func description() throws -> [(title: String, text: String)]

  /// How much of the store each table of objects takes.
  func tableSizes() throws -> [StoredTableSize]

  /// Everything in the store that should not be so, in one state of the store.
  ///
  /// A check that cannot be made is itself a problem; the others go on.
  /// - Parameter progress: called with what is looked at, its number from 1, and how many there are.
  func problems(progress: (String, Int, Int) -> Void) throws -> [StoreProblem]
}
