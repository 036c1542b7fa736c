import CoreData
import Foundation

/// What a context tells its observers, in order.
final class EventRecorder {
  struct Told {
    let notification: Notification

    var name: Notification.Name { notification.name }
    var keys: Set<String> { Set((notification.userInfo ?? [:]).keys.compactMap { $0 as? String }) }

    func objects(_ key: NSManagedObjectContext.NotificationKey) -> Set<NSManagedObject> {
      notification.userInfo?[key.rawValue] as? Set<NSManagedObject> ?? []
    }

    func identifiers(_ key: NSManagedObjectContext.NotificationKey) -> Set<NSManagedObjectID> {
      notification.userInfo?[key.rawValue] as? Set<NSManagedObjectID> ?? []
    }

    /// "inserted Ada, Bob; deleted Rex": the names of the objects that are told of.
    var text: String {
      let kinds: [NSManagedObjectContext.NotificationKey] = [
        .insertedObjects, .updatedObjects, .deletedObjects, .refreshedObjects, .invalidatedObjects,
      ]
      return kinds.compactMap { kind in
        let names = objects(kind).map { $0.text("name") ?? "nil" }.sorted()
        return names.isEmpty ? nil : "\(kind.rawValue) \(names.joined(separator: ", "))"
      }.joined(separator: "; ")
    }
  }

  private(set) var told: [Told] = []
  /// Called for each notification, after it was noted.
  var react: ((Told) -> Void)?
  private var tokens: [any NSObjectProtocol] = []

  init(
    _ context: NSManagedObjectContext,
    _ names: [Notification.Name] = [
      .NSManagedObjectContextObjectsDidChange, .NSManagedObjectContextWillSave, .NSManagedObjectContextDidSave,
      .NSManagedObjectContextDidSaveObjectIDs,
    ]
  ) {
    nonisolated(unsafe) let recorder = Weak(self)  // notifications come on the context's queue, where the tests run
    tokens = names.map { name in
      NotificationCenter.default.addObserver(forName: name, object: context, queue: nil) { notification in
        guard let recorder = recorder.object else { return }
        let told = Told(notification: notification)
        recorder.told.append(told)
        recorder.react?(told)
      }
    }
  }

  deinit { for token in tokens { NotificationCenter.default.removeObserver(token) } }

  private final class Weak {
    weak var object: EventRecorder?
    init(_ object: EventRecorder) { self.object = object }
  }

  /// What was told since the last time this was asked.
  func take() -> [Told] {
    defer { told = [] }
    return told
  }

  /// What ObjectsDidChange has told since the last time anything was asked for.
  func events() -> [String] {
    take().filter { $0.name == .NSManagedObjectContextObjectsDidChange }.map(\.text)
  }
}
