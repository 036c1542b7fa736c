import Foundation
import OpenCocoaFoundation

/// The copy of a migration's source that takes what migration policies write into the source. It is made at the first save.
final class SourceCopy {
  private let store: NSPersistentStore
  private let places: [URL]
  /// Where the copy is, once it is made.
  private var url: URL?
  /// The latest commit of the store that the migration reads.
  var commit: UInt64 = 0

  /// - Parameter places: the places beside which the copy may be made; the first that is one of a file is taken.
  init(of store: NSPersistentStore, beside places: [URL]) { (self.store, self.places) = (store, places) }

  /// Makes the copy, unless it is there or the store can be written anyway. A kind of store that cannot be copied in this way
  /// stays read-only.
  /// - Throws: the errors of `NSPersistentStore.writeIntoCopy(at:since:)`.
  func make(for context: NSManagedObjectContext) throws {
    guard store.isReadOnly, let place = places.first(where: { $0.isFileURL && !$0.isPrivateStore }) else { return }
    let url = try MigrationWorkingFiles.make(beside: StoreFiles(place))
    do {
      guard try store.writeIntoCopy(at: url, since: commit) else { return MigrationWorkingFiles.remove(url) }
    } catch {
      MigrationWorkingFiles.remove(url)
      throw error
    }
    self.url = url
    // The context has read the store's own file.
    try context.setQueryGenerationFrom(nil)
    try context.setQueryGenerationFrom(NSQueryGenerationToken.current)
  }

  /// Removes the copy of a store that is closed.
  func remove() { if let url { MigrationWorkingFiles.remove(url) } }
}

/// The context of a migration's source.
final class MigrationSourceContext: NSManagedObjectContext, @unchecked Sendable {  // the context's queue has `copy`
  private var copy: SourceCopy?

  convenience init(_ copy: SourceCopy) {
    self.init(concurrencyType: .privateQueueConcurrencyType)
    self.copy = copy
  }

  override func save() throws {
    if hasChanges { try copy?.make(for: self) }
    try super.save()
  }

  override func execute(_ request: NSPersistentStoreRequest) throws -> NSPersistentStoreResult {
    switch request.requestType {
    case .batchInsertRequestType, .batchUpdateRequestType, .batchDeleteRequestType: try copy?.make(for: self)
    case .fetchRequestType, .saveRequestType: break
    }
    return try super.execute(request)
  }
}
