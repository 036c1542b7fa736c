import OpenCocoaFoundation

// What a program needs that serves a store's objects to others, which know them by ID and version.
extension NSManagedObjectContext {
  /// Gives a new object of this context an ID that was obtained for another object before, which was never saved. A service
  /// that hands out IDs ahead of a save keeps no objects for them.
  ///
  /// The caller answers for the ID: no row may have it, and `obtainPermanentIDs(for:)` must have given it, since the store could
  /// give it to yet another object otherwise. Anything but a permanent ID of the object's own entity stops the program.
  @_spi(Store) public final func give(_ objectID: NSManagedObjectID, to object: NSManagedObject) {
    ChangeRun(in: self).give(objectID, to: object)
  }
}

extension NSManagedObject {
  /// The version of the row that the object's values were read from; 0 for a fault and for a new object. A save that
  /// writes the row raises it.
  @_spi(Store) public final var rowVersion: Int64 { snapshot.map { Int64($0.version) } ?? 0 }
}
