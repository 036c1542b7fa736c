import Foundation

extension NotificationCenter {
  /// Returns the notifications with a name as an asynchronous sequence.
  ///
  /// **The sequence receives only notifications that are posted after its `for await` has begun.** So begin the `for await`
  /// before the work that posts the notifications.
  ///
  /// ```swift
  /// let saves = Task { @MainActor in
  ///   for await notification in NotificationCenter.default.notifications(named: .NSManagedObjectContextDidSave) {
  ///     return (notification.userInfo?[NSInsertedObjectsKey] as? Set<NSManagedObject>)?.count ?? 0
  ///   }
  ///   return 0
  /// }
  /// await Task.yield()  // it listens now
  /// Entry(context: context).title = "Thursday"
  /// try context.save()
  /// print(await saves.value)  // 1
  /// ```
  /// - Parameters:
  ///   - name: the name of the notifications.
  ///   - object: the object that posts the notifications; nil for any object. The sequence does not retain it.
  public func notifications(named name: Notification.Name, object: AnyObject? = nil) -> Notifications {
    Notifications(self, name, object)
  }

  /// An asynchronous sequence of notifications; see `notifications(named:object:)`.
  ///
  /// A sequence receives the notifications that are posted after its iterator is made, which is at the beginning of a
  /// `for await`, and before the iterator is released. It keeps all notifications that the loop has not taken yet. Cancelling
  /// the task ends the sequence.
  public final class Notifications: AsyncSequence, @unchecked Sendable {  // only init sets its properties
    /// A notification.
    public typealias Element = Notification
    /// The sequence never throws.
    public typealias Failure = Never

    private let center: NotificationCenter
    private let name: Notification.Name
    private weak var object: AnyObject?
    private let hasObject: Bool

    init(_ center: NotificationCenter, _ name: Notification.Name, _ object: AnyObject?) {
      (self.center, self.name, self.object, hasObject) = (center, name, object, object != nil)
    }

    /// Registers an observer and returns an iterator over the notifications that it receives.
    public func makeAsyncIterator() -> Iterator {
      // If the object has been released, it cannot post notifications any more.
      if hasObject, object == nil { return Iterator(stream: AsyncStream { $0.finish() }) }
      let (stream, continuation) = AsyncStream<Posted>.makeStream()
      let token = center.addObserver(forName: name, object: object, queue: nil) { notification in
        continuation.yield(Posted(notification: notification))
      }
      nonisolated(unsafe) let observer = token
      continuation.onTermination = { [center] _ in center.removeObserver(observer) }
      return Iterator(stream: stream)
    }

    /// Returns one notification after the other.
    public struct Iterator: AsyncIteratorProtocol {
      /// A notification.
      public typealias Element = Notification
      /// The iterator never throws.
      public typealias Failure = Never
      private var base: AsyncStream<Posted>.Iterator

      fileprivate init(stream: AsyncStream<Posted>) { base = stream.makeAsyncIterator() }

      /// Returns the next notification; nil when the task is cancelled.
      public mutating func next() async -> Notification? { await next(isolation: nil) }

      /// Returns the next notification to a caller with the given isolation; nil when the task is cancelled.
      public mutating func next(isolation actor: isolated (any Actor)?) async -> Notification? {
        await base.next(isolation: actor)?.notification
      }
    }

    /// A notification that is passed on from the thread that posted it.
    fileprivate struct Posted: @unchecked Sendable {  // passed on once, and never changed
      let notification: Notification
    }
  }
}
