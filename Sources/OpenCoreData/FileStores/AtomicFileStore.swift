import Foundation
import OpenCocoaFoundation

/// An atomic store that is one file: the common part of XML and binary stores.
///
/// Adding the store makes the file if there is none. A save writes a whole new file and puts it in the place of the old one.
/// It fails if another program has written the file since it was read.
class AtomicFileStore: NSAtomicStore, @unchecked Sendable {  // what can change belongs to `nodeLock`
  /// The type's name in errors.
  class var kind: String { "store" }

  private final var file: StoreFile?
  private final var isNew = false
  /// The number of the latest object: all entities share one count, and no number is used again.
  final var lastReference: Int64 = 101

  // MARK: For subclasses to override

  /// Makes nodes of the file's bytes, and sets `metadata` and `lastReference`; calls `takeHead` before the first node.
  /// - Throws: `StoreFileProblem`.
  func read(_ data: Data) throws { preconditionFailure("\(Swift.type(of: self)) must override read(_:)") }

  /// The bytes of a file of all nodes.
  func contents() throws -> Data { preconditionFailure("\(Swift.type(of: self)) must override contents()") }

  /// A text that describes a problem of a file with those bytes.
  class func describe(_ problem: StoreFileProblem, in data: Data) -> String { problem.reason }

  /// The metadata in a file's bytes.
  /// - Throws: `StoreFileProblem`.
  class func metadata(in data: Data) throws -> StoreMetadata {
    preconditionFailure("\(self) must override metadata(in:)")
  }

  /// The number of objects in a file's bytes by the name of their own entity, as the file writes it.
  /// - Throws: `StoreFileProblem`.
  class func objectCounts(in data: Data) throws -> [String: Int] {
    preconditionFailure("\(self) must override objectCounts(in:)")
  }

  /// A file's bytes with other metadata; all else stays.
  /// - Throws: `StoreFileProblem`.
  class func replace(_ metadata: StoreMetadata, in data: Data) throws -> Data {
    preconditionFailure("\(self) must override replace(_:in:)")
  }

  // MARK: As an atomic store

  override func open(_ type: String) throws {
    try super.open(type)
    if isNew {
      try save()
      isNew = false
    }
  }

  override final class func migrate(
    _ place: MigrationPlace, by migration: InferredMigration, configuration: String?, defers: Bool
  ) throws {
    try AtomicMigration(place: place, configuration: configuration, migration: migration).run()
  }

  override final func limitMode(to mode: mode_t) {
    guard let file, !file.isPrivate else { return }
    chmod(file.path, FileMode.ofFile(file.path) & mode | 0o600)
  }

  override final func move(to url: URL) -> Bool {
    guard let place = try? StoreFile(lookingAt: url, timeout: (try? StoreOptionValue.timeout(options)) ?? 240) else {
      return false
    }
    // A new file gets no more permissions than the old one has.
    place.modeOfNew = file.flatMap { $0.isPrivate ? nil : FileMode.ofFile($0.path) }
    file = place
    return super.move(to: url)
  }

  override final func load() throws {
    let file = try StoreFile(url ?? .privateStore, timeout: StoreOptionValue.timeout(options))
    self.file = file
    if file.isPrivate { return }
    if !isReadOnly { WorkingFolder.removeLeftOver(beside: file.path) }
    guard let data = try file.read() else {
      if isReadOnly { throw file.missing }
      try file.requireFolder()
      isNew = true
      return
    }
    if !isReadOnly, !file.isWritable { throw file.writeError(EACCES) }
    do {
      try read(data)
    } catch let problem as StoreFileProblem {
      throw file.corrupt(Self.describe(problem, in: data))
    }
  }

  override final func save() throws {
    if isReadOnly { throw readOnlyError }
    describeModel()
    try StoreMetadata.check(metadata)
    guard let file, !file.isPrivate else { return }
    try file.replace(with: try contents())
  }

  /// Replaces this store's file by the contents of another store, which need not have a file itself.
  /// - Throws: 134050 if another program has written the file since this store read it, and the errors of writing.
  final func replaceFile(byContentsOf other: AtomicFileStore) throws {
    other.describeModel()
    try StoreMetadata.check(other.metadata)
    try file?.replace(with: try other.contents())
  }

  override final func newReferenceObject(for managedObject: NSManagedObject) -> Any {
    locked {
      lastReference += 1
      return NSNumber(value: lastReference)
    }
  }

  /// Takes over the store's identifier and metadata from the file, before object IDs can exist.
  /// - Throws: 134100 where it is not of the model.
  final func takeHead(_ head: StoreMetadata) throws {
    metadata = head.dictionary.merging([NSStoreTypeKey: Self.kind]) { $1 }
    try checkVersion()
  }

  /// Takes nodes that were read.
  final func take(_ loaded: some Sequence<NSAtomicStoreCacheNode>) {
    for node in loaded { add(node) }
  }

  /// The metadata that is written into the file.
  final var head: StoreMetadata { StoreMetadata(identifier: identifier, properties: Self.kept(metadata)) }

  /// The type is known from the file's form, and the UUID has a place of its own.
  private static func kept(_ metadata: [String: Any]) -> [String: Any] {
    metadata.filter { $0.key != NSStoreTypeKey && $0.key != NSStoreUUIDKey }
  }

  // MARK: Metadata of a file that is not open

  override final class func metadataForPersistentStore(with url: URL) throws -> [String: Any] {
    try withMetadata(at: url) { _, _, metadata in metadata.dictionary.merging([NSStoreTypeKey: kind]) { $1 } }
  }

  override final class func setMetadata(_ metadata: [String: Any]?, forPersistentStoreAt url: URL) throws {
    try withMetadata(at: url) { file, data, old in
      var new = old
      try new.replace(with: metadata ?? [:])
      new.properties = kept(new.properties)
      try file.replace(with: try replace(new, in: data))
    }
  }

  /// Returns the number of objects of each entity that the metadata name. No model is needed: each object says which entity
  /// it is of. Objects of subentities do not count.
  /// - Throws: the errors of reading the file; 259 if it is damaged.
  final class func objectCounts(at url: URL) throws -> [String: Int] {
    try withMetadata(at: url) { _, data, metadata in
      let found = try objectCounts(in: data)
      let names = (metadata.properties[NSStoreModelVersionHashesKey] as? [String: Data] ?? [:]).keys
      // XML has names in upper case unless two differ in case alone.
      let folded = Dictionary(grouping: names) { $0.uppercased() }
      return Dictionary(
        names.map { name in
          let others = folded[name.uppercased()]?.count ?? 0
          return (name, found[name] ?? (others > 1 ? nil : found[name.uppercased()]) ?? 0)
        }, uniquingKeysWith: { $1 })
    }
  }

  private class func withMetadata<Result>(
    at url: URL, _ body: (StoreFile, Data, StoreMetadata) throws -> Result
  ) throws -> Result {
    let file = try StoreFile(url)
    guard !file.isPrivate, let data = try file.read() else { throw file.missing }
    do {
      return try body(file, data, try metadata(in: data))
    } catch let problem as StoreFileProblem {
      throw file.corrupt(describe(problem, in: data))
    }
  }
}
