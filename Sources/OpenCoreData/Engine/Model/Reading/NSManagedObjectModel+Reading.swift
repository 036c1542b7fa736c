import Foundation

extension NSManagedObjectModel {
  /// Reads a compiled model (.momd, .mom) or, differently from Apple, a source model (.xcdatamodeld, .xcdatamodel).
  ///
  /// Of a folder of versions the current one is read. Nil if there is no readable model; use
  /// `init(validatingContentsOf:)` to learn why.
  public convenience init?(contentsOf url: URL) {
    try? self.init(validatingContentsOf: url)
  }

  /// Reads a model as `init(contentsOf:)` does, and tells what is wrong with it.
  ///
  /// - Throws: an error of NSCocoaErrorDomain whose text names the entity and the property: 260 if there is no such
  ///   file, 259 if it is not a model, 134020 if the model contradicts itself (an entity or inverse that does not
  ///   exist, two entities of one name, an unknown type). `userInfo` has the path, and "entity" and "property".
  public convenience init(validatingContentsOf url: URL) throws {
    self.init()
    try ModelFile.read(url, into: self)
  }

  /// Reads a source model for a module: its classes of "Current Product Module" are called `Module.Class`.
  package convenience init(validatingContentsOf url: URL, module: String?) throws {
    self.init()
    try ModelFile.read(url, into: self, module: module)
  }
}
