import Foundation
import OpenCocoaFoundation

/// Where a migration writes until it is complete: beside the place of the new store, under a name of its own.
struct MigrationDestination {
  private enum Kind {
    /// A store that is no file: it is written where it is.
    case direct
    case file
    case database
  }

  private let place: MigrationPlace
  private let kind: Kind
  /// Whether a store is there that is added to.
  private let isThere: Bool
  /// Where the new store is written.
  let workingURL: URL

  /// Copies the store that is there already.
  /// - Throws: 134160 with the reason: the source itself, a folder, or no store of that type.
  init(_ place: MigrationPlace, source: MigrationPlace) throws {
    self.place = place
    do {
      let storeClass = try NSPersistentStoreCoordinator.storeClass(forType: place.type)
      let isAtomic = storeClass is NSAtomicStore.Type && storeClass != InMemoryStore.self
      guard storeClass == SQLStore.self || isAtomic, place.url.isFileURL, place.url.path != "/dev/null" else {
        (kind, isThere, workingURL) = (.direct, false, place.url)
        return
      }
      kind = isAtomic ? .file : .database
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
      workingURL = MigrationWorkingFiles.make(beside: files)
    } catch {
      throw MigrationFailure.destination(error, place.url)
    }
    guard isThere else { return }
    do {
      try takeCopy()
    } catch {
      discard()
      throw MigrationFailure.destination(error, place.url)
    }
  }

  /// Copies the store that is there already to where the migration writes.
  private func takeCopy() throws {
    let working = try StoreFiles(workingURL), files = try StoreFiles(place.url)
    if kind == .file { return try StoreReplacement.replaceFile(working, with: files) }
    let options = try StoreOptions(place.options)
    try StoreReplacement.replace(working, options: options, with: files, sourceOptions: options)
  }

  /// Puts the store, which is closed and complete, into its place.
  /// - Throws: 134160 with the reason; there is what was there before then.
  func install() throws {
    do {
      let working = try StoreFiles(workingURL), files = try StoreFiles(place.url)
      switch kind {
      case .direct: return
      case .file: try StoreReplacement.replaceFile(files, with: working)
      case .database:
        if isThere {
          let options = try StoreOptions(place.options)
          return try StoreReplacement.replace(files, options: options, with: working, sourceOptions: options)
        }
        try Self.synchronize(working.path)
        let store = StoreCopy(ofClosedStore: working)
        // The folder first: whoever finds the database finds its values.
        try store.installFiles(at: files)
        guard try store.installDatabase(at: files) else {
          throw NSError(
            coreData: CocoaError.Code.fileWriteFileExists.rawValue, "There is something at \(place.url.path) by now.",
            [NSFilePathErrorKey: place.url.path])
        }
      }
      try Self.synchronize(URL(fileURLWithPath: files.path).deletingLastPathComponent().path)
    } catch {
      throw MigrationFailure.destination(error, place.url)
    }
  }

  /// Removes what was written and has not been put into its place.
  func discard() {
    if kind == .direct { return }
    MigrationWorkingFiles.remove(workingURL)
  }

  /// What was written to a file or a folder is on the disk.
  private static func synchronize(_ path: String) throws {
    let file = open(path, O_RDONLY)
    guard file >= 0 else { return }
    defer { close(file) }
    // File systems that cannot say so for folders say EINVAL.
    guard fsync(file) != 0, errno != EINVAL, errno != EROFS else { return }
    throw NSError(
      coreData: CocoaError.Code.fileWriteUnknown.rawValue,
      "\(path) cannot be written to the disk: \(String(cString: strerror(errno))).", [NSFilePathErrorKey: path])
  }
}

extension StoreCopy {
  /// A store that was made beside its place.
  fileprivate init(ofClosedStore files: StoreFiles) {
    path = files.path
    support = FileManager.default.fileExists(atPath: files.supportFolder.path) ? files.supportFolder : nil
  }
}
