import Foundation

extension NSManagedObjectModel {
  /// Reads a compiled model (.momd, .mom) or, differently from Apple, a source model (.xcdatamodeld, .xcdatamodel).
  /// From a folder of versions the current version is read.
  ///
  /// Use it if `NSPersistentContainer(name:)` does not find the model by itself. The build plugin puts the model into
  /// the target's own bundle (D-MOD-14):
  ///
  /// ```swift
  /// let url = Bundle.module.url(forResource: "Diary", withExtension: "momd")
  /// let model = url.flatMap { NSManagedObjectModel(contentsOf: $0) }
  /// print(model?.entities.count ?? 0)  // 3
  /// ```
  ///
  /// Returns nil if there is no readable model, or if the model contradicts itself; ``init(validatingContentsOf:)``
  /// says why.
  /// - Parameter url: the model's file or folder.
  public convenience init?(contentsOf url: URL) {
    try? self.init(validatingContentsOf: url)
  }

  /// Reads a model as `init(contentsOf:)` does, and throws an error that says what is wrong with it. Not in Apple's
  /// framework (D-EXT-13).
  ///
  /// ```swift
  /// do {
  ///   _ = try NSManagedObjectModel(validatingContentsOf: folder.appendingPathComponent("None.momd"))
  /// } catch {
  ///   print((error as NSError).code)  // 260
  /// }
  /// ```
  /// - Throws: an error of NSCocoaErrorDomain whose text names the entity and the property: 260 if there is no such
  ///   file, 259 if it is not a model, 134020 if the model contradicts itself (an entity or inverse that does not
  ///   exist, two entities of one name, an unknown type). `userInfo` has the path, and "entity" and "property".
  public convenience init(validatingContentsOf url: URL) throws {
    self.init()
    try ModelFile.read(url, into: self)
  }

  /// Reads a source model for a module: a class of "Current Product Module" is named `Module.Class`.
  package convenience init(validatingContentsOf url: URL, module: String?) throws {
    self.init()
    try ModelFile.read(url, into: self, module: module)
  }
}
