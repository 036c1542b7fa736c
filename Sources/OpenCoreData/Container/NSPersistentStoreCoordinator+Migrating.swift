import Foundation
import OpenCocoaFoundation

extension NSPersistentStoreCoordinator {
  /// Copies a store to another place, possibly as another type, and continues with the copy in place of the store:
  /// "save as". The file of the old store stays as it is; the old store object can no longer be used.
  ///
  /// A SQLite store copied to a SQLite store keeps its UUID and its objects' URIs. Between a SQLite store and a
  /// PostgreSQL server the objects keep their keys, and the copy has a UUID of its own. In all other cases the objects
  /// of the copy are new objects. Objects that contexts have belong to the old store: reset the contexts, or look the
  /// objects up again. Saves to the old store wait during the copy, and fail after it.
  ///
  /// ```swift
  /// let coordinator = container.persistentStoreCoordinator
  /// let place = folder.appendingPathComponent("Diary.xml")
  /// try coordinator.migratePersistentStore(coordinator.persistentStores[0], to: place, withType: NSXMLStoreType)
  /// context.reset()
  /// print(try context.count(for: NSFetchRequest<Entry>(entityName: "Entry")))  // 3
  /// print(coordinator.persistentStores[0].type)  // XML
  /// ```
  ///
  /// This is no migration to another version of the model; opening a store does that. To make a copy and continue with
  /// the original, use ``backUp(_:to:progress:)``.
  ///
  /// Differs from Apple (D-STO-30): there must be no file at `storeURL`. Nothing is validated, and the application's
  /// classes are not used.
  /// - Parameters:
  ///   - store: one of this coordinator's stores.
  ///   - storeURL: the place of the copy.
  ///   - options: the options that the copy is opened with.
  ///   - storeType: the copy's type.
  /// - Returns: the new store.
  /// - Throws: 134080 for a store of another coordinator, 134000 for an unknown type, 516 if there is something at
  ///   `storeURL`, and the errors of reading the old store and writing the new store. The coordinator then still has
  ///   the old store.
  @discardableResult
  public final func migratePersistentStore(
    _ store: NSPersistentStore, to storeURL: URL, options: [AnyHashable: Any]? = nil, withType storeType: String
  ) throws -> NSPersistentStore {
    let storeClass = try Self.storeClass(forType: storeType)
    guard persistentStores.contains(where: { $0 === store }) else {
      throw NSError(coreData: NSPersistentStoreOpenError, "The store is not one of this coordinator's: \(store)")
    }
    let isPrivate = storeClass.isInMemoryOnly || storeURL.isPrivateStore
    if !isPrivate, try storeClass.isPresent(at: storeURL, options: options) {
      throw NSError(
        coreData: CocoaError.Code.fileWriteFileExists.rawValue,
        "There is something at \(storeURL.placeOfStore) already.", [NSFilePathErrorKey: storeURL.placeOfStore])
    }
    // Posted before writers are kept out, because observers may save.
    post(.NSPersistentStoreCoordinatorStoresWillChange, [NSRemovedPersistentStoresKey: [store]])
    postWillRemove(store)
    let identifier = store.identifier
    let new = try store.withoutWriters {
      let configuration = store.isDefaultConfiguration ? nil : store.configurationName
      if !isPrivate {
        let copy = try storeClass.filled(
          storeType, at: storeURL, configuration: configuration, options: options, for: self
        ) { try fill($0, from: store, isFilled: false) }
        if let copy {
          exchange(store, for: copy)
          return copy
        }
      }
      var isFilled = try !isPrivate && store.copyFile(to: storeURL, of: storeClass)
      // XML and binary stores write an empty file when they are opened. An application's atomic store may be more than one
      // file, and writes all of them in one step.
      let isAtomic = storeClass is NSAtomicStore.Type && !(storeClass is AtomicFileStore.Type)
      if !isFilled, !isPrivate, storeURL.isFileURL, storeClass.isFile, !isAtomic {
        try makeCopy(of: store, at: storeURL, storeClass) { try open(storeType, configuration, $0, options) }
        isFilled = true
      }
      do {
        let mode = isPrivate || isFilled || !storeURL.isFileURL ? nil : store.fileMode
        if let mode { try storeClass.prepareFile(at: storeURL, mode: mode) }
        let copy = try open(storeType, configuration, storeURL, options)
        // The mode is limited now, while the new store has no objects yet.
        if let mode { copy.limitMode(to: mode) }
        do {
          try fill(copy, from: store, isFilled: isFilled)
        } catch {
          copy.close()
          throw error
        }
        exchange(store, for: copy)
        return copy
      } catch {
        // The unfinished store is removed, by force, since a store that cannot be emptied may still be deleted. A
        // failure of the removal is ignored: `error` says why the migration failed.
        let force: [AnyHashable: Any] = [NSPersistentStoreForceDestroyOption: NSNumber(value: true)]
        if !isPrivate {
          // A server can be reached only with the options. A file may exist that cannot be opened with them; it is then
          // removed without them.
          do {
            let all = (options ?? [:]).merging(force) { $1 }
            try removePersistentStore(at: storeURL, ofType: storeType, options: all)
          } catch { try? removePersistentStore(at: storeURL, ofType: storeType, options: force) }
        }
        throw error
      }
    }
    var changes = [NSAddedPersistentStoresKey: [new], NSRemovedPersistentStoresKey: [store]]
    if new.identifier != identifier { changes[NSUUIDChangedPersistentStoresKey] = [store, new] }
    post(.NSPersistentStoreCoordinatorStoresDidChange, changes)
    return new
  }

  /// Copies a store to another place, in the same way as the method with the name of a type.
  @discardableResult
  public final func migratePersistentStore(
    _ store: NSPersistentStore, to storeURL: URL, options: [AnyHashable: Any]? = nil,
    type storeType: NSPersistentStore.StoreType
  ) throws -> NSPersistentStore {
    try migratePersistentStore(store, to: storeURL, options: options, withType: storeType.rawValue)
  }

  /// Writes a store's objects to a new store in a working folder, and moves the new store to `url` when it is complete:
  /// neither a process that is killed nor a disk that fails leaves a part of the store at `url`.
  /// - Throws: 516 if there is something at `url` by then, and the errors of reading the old store and writing the new
  ///   store.
  private final func makeCopy(
    of store: NSPersistentStore, at url: URL, _ storeClass: NSPersistentStore.Type,
    _ open: (URL) throws -> NSPersistentStore
  ) throws {
    let files = try StoreFiles(url), working = try files.workingFolder()
    defer { working.remove() }
    let place = URL(fileURLWithPath: working.path).appendingPathComponent("Copy")
    let mode = store.fileMode
    if let mode { try storeClass.prepareFile(at: place, mode: mode) }
    let copy = try open(place)
    // The mode is limited now, while the new store has no objects yet.
    if let mode { copy.limitMode(to: mode) }
    do {
      try fill(copy, from: store, isFilled: false)
    } catch {
      copy.close()
      throw error
    }
    copy.close()
    guard try storeClass.install(place, at: url) else {
      throw NSError(
        coreData: CocoaError.Code.fileWriteFileExists.rawValue, "There is something at \(url.path) by now.",
        [NSFilePathErrorKey: url.path])
    }
    try StoreFiles.synchronize(URL(fileURLWithPath: files.path).deletingLastPathComponent().path)
  }

  private final func fill(_ copy: NSPersistentStore, from store: NSPersistentStore, isFilled: Bool) throws {
    // A caller that wants to show the progress has made a progress of its own the current one.
    let progress = Progress.current().map { _ in Progress(totalUnitCount: 1) }
    // A store that is written as a whole gets its objects and its metadata by one write: a process that is killed
    // between two would leave a store without its metadata, which nothing tells from a whole one.
    if copy is NSAtomicStore { takeMetadata(copy, of: store) }
    if !isFilled {
      if try !copy.takeObjects(of: store, progress: progress) {
        try StoreObjectCopy(from: store, to: copy, self).run(progress: progress)
      }
    }
    takeMetadata(copy, of: store)
    if !copy.isReadOnly { try copy.saveMetadata() }
  }

  /// Gives a copy what an application has put into a store's metadata.
  private final func takeMetadata(_ copy: NSPersistentStore, of store: NSPersistentStore) {
    let keys = StoreMetadata.frameworkKeys.union([NSStoreUUIDKey])
    let own = (store.metadata ?? [:]).filter { !keys.contains($0.key) }
    copy.metadata = (copy.metadata ?? [:]).filter { keys.contains($0.key) }.merging(own) { $1 }
  }

  /// Replaces a store by another store in the coordinator's list.
  private final func exchange(_ old: NSPersistentStore, for new: NSPersistentStore) {
    old.willRemove(from: self)
    changeStores { stores in
      if let place = stores.firstIndex(where: { $0 === old }) { stores[place] = new }
    }
    old.coordinator = nil
    old.close()
    new.didAdd(to: self)
  }
}
