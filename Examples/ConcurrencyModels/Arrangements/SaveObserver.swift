import CoreData
import Foundation

/// Hears of a context's saves as long as it lives.
final class SaveObserver {
  private let token: any NSObjectProtocol

  /// - Parameters:
  ///   - context: The context; nil for all contexts.
  ///   - heard: Called on the thread that saves, with the IDs of what was saved, which may go to any thread. Objects may
  ///     not.
  init(_ context: NSManagedObjectContext?, _ heard: @escaping @Sendable (Notification) -> Void) {
    token = NotificationCenter.default.addObserver(
      forName: NSManagedObjectContext.didSaveObjectIDsNotification, object: context, queue: nil, using: heard)
  }

  deinit { NotificationCenter.default.removeObserver(token) }
}

/// Runs a block on the main queue, behind what waits there already, and does not wait for it.
///
/// A task of the main actor would do as well; blocks of a queue are certain to run in their order.
func onMainQueue(_ block: @escaping @MainActor @Sendable () -> Void) {
  DispatchQueue.main.async { MainActor.assumeIsolated(block) }
}
