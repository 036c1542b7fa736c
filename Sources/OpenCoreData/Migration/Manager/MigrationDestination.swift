import Foundation
import OpenCocoaFoundation

/// The place where a migration writes until it is complete: beside the place of the new store, under another name.
struct MigrationDestination {
  private let place: MigrationPlace
  private let storeClass: NSPersistentStore.Type
  /// Whether the store is a file. Another store, such as one in a server, is written at its own place.
  private let isFile: Bool
  /// Whether objects are added to an existing store. Other processes then cannot write the store, or their writes are
  /// noticed.
  private let isThere: Bool
  /// The permissions of the source's file, which those of a new store must not exceed; nil if the source is not a file.
  private let mode: mode_t?
  private var exchange: (any StoreExchanging)?
  private var isComplete = false
  /// Where the new store is written.
  let workingURL: URL

  /// Prepares the place, and copies an existing store to it.
  /// - Throws: 134160 with the reason: the place is that of the source, a folder, or of no store of that type.
  init(_ place: MigrationPlace, source: MigrationPlace) throws {
    self.place = place
    do {
      storeClass = try NSPersistentStoreCoordinator.storeClass(forType: place.type)
      guard storeClass.isFile, place.url.isFileURL, !place.url.isPrivateStore else {
        (isFile, workingURL, mode) = (false, place.url, nil)
        // If the migration fails, a store that it has begun there is removed.
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

  /// Copies the existing store to the place where the migration writes.
  private mutating func takeCopy() throws {
    exchange = try storeClass.beginExchange(place)
    try storeClass.replaceStore(at: workingURL, options: place.options, with: place.url, sourceOptions: place.options)
  }

  /// Puts the store, which is closed and complete, into its place.
  /// - Throws: 134160 with the reason, for example that another process has written the store that was added to. The
  ///   place is then unchanged.
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

  /// Limits the permissions of the new store to those of the old one, so that no other user can read it.
  private func narrow(_ working: StoreFiles) {
    if let mode { chmod(working.path, FileMode.ofFile(working.path) & mode | 0o600) }
  }

  /// Removes the new store, unless it has been put into its place.
  func discard() {
    if !isFile {
      // An error of the removal is ignored, because the earlier error tells the reason.
      if !isThere, !isComplete { try? storeClass.removeStore(at: place.url, options: place.options) }
      return
    }
    MigrationWorkingFiles.remove(workingURL)
  }
}
