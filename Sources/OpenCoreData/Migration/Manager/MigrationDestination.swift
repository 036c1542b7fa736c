import Foundation
import OpenCocoaFoundation

/// The place to which a migration writes until it is complete: beside the place of the new store, under a name of its own.
struct MigrationDestination {
  private let place: MigrationPlace
  private let storeClass: NSPersistentStore.Type
  /// Whether the store is a file. One that is none, as in a server, is written in its place.
  private let isFile: Bool
  /// Whether objects are added to an existing store. Other processes cannot write that store in the meantime, or their writes
  /// are noticed.
  private let isThere: Bool
  /// The permissions of the source's file, which the new store must not exceed; nil if the source is not a file.
  private let mode: mode_t?
  private var exchange: (any StoreExchanging)?
  private var isComplete = false
  /// The place at which the new store is written.
  let workingURL: URL

  /// Copies the existing store, if there is one.
  /// - Throws: 134160 with the reason: the place is the source itself, a folder, or no store of that type.
  init(_ place: MigrationPlace, source: MigrationPlace) throws {
    self.place = place
    do {
      storeClass = try NSPersistentStoreCoordinator.storeClass(forType: place.type)
      guard storeClass.isFile, place.url.isFileURL, !place.url.isPrivateStore else {
        (isFile, workingURL, mode) = (false, place.url, nil)
        // A store that is begun there is removed if the migration fails.
        isThere = try !storeClass.isFile || storeClass.isPresent(at: place.url, options: place.options)
        return
      }
      isFile = true
      let files = try StoreFiles(place.url)
      if source.url.isFileURL, files.kind != .missing, try files.isSame(as: StoreFiles(source.url)) {
        throw files.unreadable("it is the store to migrate from")
      }
      switch files.kind {
      case .missing: isThere = false
      case .file: isThere = true
      case .folder, .other: throw files.unreadable("it is no regular file")
      }
      MigrationWorkingFiles.removeLeftOver(beside: files)
      mode = source.url.isFileURL && !source.url.isPrivateStore ? FileMode.ofFile(source.url.path) : nil
      workingURL = try MigrationWorkingFiles.make(beside: files)
      if let mode, !isThere { try storeClass.prepareFile(at: workingURL, mode: mode) }
    } catch {
      throw MigrationFailure.destination(error, place.url)
    }
    guard isThere, isFile else { return }
    do {
      try takeCopy()
    } catch {
      discard()
      throw MigrationFailure.destination(error, place.url)
    }
  }

  /// Copies the existing store to the place to which the migration writes.
  private mutating func takeCopy() throws {
    exchange = try storeClass.beginExchange(place)
    try storeClass.replaceStore(at: workingURL, options: place.options, with: place.url, sourceOptions: place.options)
  }

  /// Puts the store, which is closed and complete, into its place.
  /// - Throws: 134160 with the reason, also if another program has written the file to which objects were added. The place is
  ///   unchanged then.
  mutating func install() throws {
    do {
      if !isFile { return isComplete = true }
      if let exchange { return try exchange.takeContents(of: workingURL, willCommit: discard) }
      let working = try StoreFiles(workingURL), files = try StoreFiles(place.url)
      narrow(working)
      guard try storeClass.install(workingURL, at: place.url) else {
        throw NSError(
          coreData: CocoaError.Code.fileWriteFileExists.rawValue, "There is something at \(place.url.path) by now.",
          [NSFilePathErrorKey: place.url.path])
      }
      try StoreFiles.synchronize(URL(fileURLWithPath: files.path).deletingLastPathComponent().path)
    } catch {
      throw MigrationFailure.destination(error, place.url)
    }
  }

  /// Gives the new store the permissions of the old one, so that no other user can read it.
  private func narrow(_ working: StoreFiles) {
    if let mode { chmod(working.path, FileMode.ofFile(working.path) & mode | 0o600) }
  }

  /// Removes the written store if it has not been put into its place.
  func discard() {
    if !isFile {
      // A failure of the removal is ignored, because the first error is the one to report.
      if !isThere, !isComplete { try? storeClass.removeStore(at: place.url, options: place.options) }
      return
    }
    MigrationWorkingFiles.remove(workingURL)
  }
}
