import Foundation

extension NotificationCenter {
  /// The notifications of a name as an asynchronous sequence.
  ///
  /// **It hears of what is posted from the beginning of the `for await` on**, and of nothing before: begin to listen
  /// before the work is begun that posts.
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
  ///   - name: what the notifications are called.
  ///   - object: whose notifications are wanted; nil for those of all objects. The sequence does not hold it.
  public func notifications(named name: Notification.Name, object: AnyObject? = nil) -> Notifications {
    Notifications(self, name, object)
  }

  /// An asynchronous sequence of notifications; see `notifications(named:object:)`.
  ///
  /// The sequence observes the center from the moment that its iterator is made, which is the beginning of a `for await`,
  /// until the iterator is released. Notifications that were not consumed yet are kept, without a limit. Cancelling the
  /// task ends the sequence.
  public final class Notifications: AsyncSequence, @unchecked Sendable {  // its properties are set by init alone
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

    /// Begins to listen.
    public func makeAsyncIterator() -> Iterator {
      // After the object was released, no notification of that object can be posted.
      if hasObject, object == nil { return Iterator(stream: AsyncStream { $0.finish() }) }
      let (stream, continuation) = AsyncStream<Posted>.makeStream()
      let token = center.addObserver(forName: name, object: object, queue: nil) { notification in
        continuation.yield(Posted(notification: notification))
      }
      nonisolated(unsafe) let observer = token
      continuation.onTermination = { [center] _ in center.removeObserver(observer) }
      return Iterator(stream: stream)
    }

    /// Gives one notification after the other.
    public struct Iterator: AsyncIteratorProtocol {
      /// A notification.
      public typealias Element = Notification
      /// The sequence never throws.
      public typealias Failure = Never
      private var base: AsyncStream<Posted>.Iterator

      fileprivate init(stream: AsyncStream<Posted>) { base = stream.makeAsyncIterator() }

      /// The next notification; nil when the task is cancelled.
      public mutating func next() async -> Notification? { await next(isolation: nil) }

      /// The next notification, for a caller of that isolation; nil when the task is cancelled.
      public mutating func next(isolation actor: isolated (any Actor)?) async -> Notification? {
        await base.next(isolation: actor)?.notification
      }
    }

    /// A notification on its way from the thread of the poster.
    fileprivate struct Posted: @unchecked Sendable {  // handed over once, and not changed by anybody
      let notification: Notification
    }
  }
}
