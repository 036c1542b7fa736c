import Foundation

extension NSPersistentStoreCoordinator {
  /// Opens the store that a description describes, and passes the result to the handler.
  /// ``NSPersistentContainer/loadPersistentStores(completionHandler:)`` calls this for each description.
  ///
  /// The handler is called before this returns, or later on another thread if the description asks for that.
  ///
  /// ```swift
  /// let archive = NSPersistentStoreDescription(url: folder.appendingPathComponent("Archive.sqlite"))
  /// container.persistentStoreCoordinator.addPersistentStore(with: archive) { _, error in
  ///   print(error == nil)  // true
  /// }
  /// print(container.persistentStoreCoordinator.persistentStores.count)  // 2
  /// ```
  /// - Parameters:
  ///   - description: the store.
  ///   - completionHandler: gets the description, and nil or the error that opening throws.
  public final func addPersistentStore(
    with description: NSPersistentStoreDescription,
    completionHandler: @escaping (NSPersistentStoreDescription, (any Error)?) -> Void
  ) {
    nonisolated(unsafe) let handler = completionHandler  // called once, by the thread that opens the store
    let open: @Sendable () -> Void = {
      do {
        try self.addPersistentStore(
          ofType: description.type, configurationName: description.configuration, at: description.url,
          options: description.options)
        handler(description, nil)
      } catch {
        handler(description, error)
      }
    }
    guard description.shouldAddStoreAsynchronously else { return open() }
    do {
      try DispatchStart.prepare()
    } catch {
      return handler(description, error)
    }
    DispatchQueue.global().async(execute: open)
  }
}
