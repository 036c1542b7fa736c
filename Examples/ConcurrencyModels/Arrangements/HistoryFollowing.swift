import CoreData

/// The store keeps a history; what came in since a token is read from it and merged.
///
/// It works for every writer, batch requests and other programs too, and it can be caught up with later. Each change costs a row
/// in the history when it is saved, and reading that.
@MainActor final class HistoryFollowing: ArrangedContexts {
  let view: NSManagedObjectContext
  nonisolated let importer: NSManagedObjectContext
  private let reader: NSManagedObjectContext
  private let container: NSPersistentContainer
  private var token: NSPersistentHistoryToken?
  private var following: Task<Void, any Error>?
  private var announcements: AsyncStream<Void>.Continuation?
  private var observer: (any NSObjectProtocol)?

  init(at url: URL) throws {
    container = try Stack.open(at: url, history: true)
    view = container.viewContext
    importer = container.newBackgroundContext()
    reader = container.newBackgroundContext()
    // What the person saves is in the history, too, and in the list already.
    importer.transactionAuthor = "import"
  }

  func follow(with list: SongList) {
    token = container.persistentStoreCoordinator.currentPersistentHistoryToken(fromStores: nil)
    // One announcement that waits stands for all that come meanwhile.
    let (stream, announcements) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    self.announcements = announcements
    observer = NotificationCenter.default.addObserver(
      forName: .NSPersistentStoreRemoteChange, object: container.persistentStoreCoordinator, queue: nil
    ) { _ in announcements.yield() }
    following = Task { for await _ in stream { try await catchUp() } }
  }

  /// Reads the transactions since the token on a queue of its own, and merges them on the main queue.
  private func catchUp() async throws {
    let token = token
    let (changes, latest) = try await reader.perform { [reader] in
      var changes: [String: [NSManagedObjectID]] = [:]
      let result = try reader.execute(NSPersistentHistoryChangeRequest.fetchHistory(after: token))
      let transactions = (result as? NSPersistentHistoryResult)?.result as? [NSPersistentHistoryTransaction] ?? []
      for transaction in transactions where transaction.author == "import" {
        for change in transaction.changes ?? [] {
          changes[Self.key(of: change.changeType), default: []].append(change.changedObjectID)
        }
      }
      return (changes, transactions.last?.token)
    }
    guard let latest else { return }
    NSManagedObjectContext.mergeChanges(fromRemoteContextSave: changes, into: [view])
    self.token = latest
  }

  private nonisolated static func key(of type: NSPersistentHistoryChangeType) -> String {
    switch type {
    case .insert: NSInsertedObjectsKey
    case .update: NSUpdatedObjectsKey
    case .delete: NSDeletedObjectsKey
    }
  }

  func finish() async throws {
    announcements?.finish()
    try await following?.value
    // An announcement may come later than the save.
    try await catchUp()
    if let observer { NotificationCenter.default.removeObserver(observer) }
  }
}
