import CoreData
import Synchronization

/// The notifications of one name that a context has posted, in their order.
final class RecordedNotifications: @unchecked Sendable {  // everything belongs to `lock`
  private let lock = NSLock()
  private var recorded: [[String: Set<NSManagedObjectID>]] = []
  private var token: (any NSObjectProtocol)?

  init(_ name: Notification.Name, of context: NSManagedObjectContext) {
    token = NotificationCenter.default.addObserver(forName: name, object: context, queue: nil) { [weak self] in
      self?.record($0.userInfo ?? [:])
    }
  }

  deinit { token.map(NotificationCenter.default.removeObserver) }

  private func record(_ userInfo: [AnyHashable: Any]) {
    var ids: [String: Set<NSManagedObjectID>] = [:]
    for (key, value) in userInfo {
      guard let key = key as? String else { continue }
      if let objects = value as? Set<NSManagedObject> { ids[key] = Set(objects.map(\.objectID)) }
      if let identifiers = value as? Set<NSManagedObjectID> { ids[key] = identifiers }
    }
    lock.withLock { recorded.append(ids) }
  }

  var all: [[String: Set<NSManagedObjectID>]] { lock.withLock { recorded } }

  /// The IDs under a key in all of them together.
  func ids(_ key: String) -> Set<NSManagedObjectID> { all.reduce([]) { $0.union($1[key] ?? []) } }

  /// One notification that lists what all of them do.
  var merged: Notification {
    let userInfo = all.reduce(into: [:]) { $0.merge($1) { $0.union($1) } }
    return Notification(name: .NSManagedObjectContextDidSaveObjectIDs, object: nil, userInfo: userInfo)
  }

  func clear() { lock.withLock { recorded = [] } }
}
