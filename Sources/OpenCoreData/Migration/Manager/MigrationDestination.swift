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
  /// Whether a store is there that is added to. Nobody else can write it until that is done, or does so unnoticed.
  private let isThere: Bool
  /// The most that others may do with a new store; nil for what is made of a store without a file.
  private let mode: mode_t?
  private var exchange: StoreExchange?
  private var file: StoreFile?
  /// Where the new store is written.
  let workingURL: URL

  /// Copies the store that is there already.
  /// - Throws: 134160 with the reason: the source itself, a folder, or no store of that type.
  init(_ place: MigrationPlace, source: MigrationPlace) throws {
    self.place = place
    do {
      let storeClass = try NSPersistentStoreCoordinator.storeClass(forType: place.type)
      let isAtomic = storeClass is NSAtomicStore.Type && storeClass != InMemoryStore.self
      guard storeClass == SQLiteStore.self || isAtomic, place.url.isFileURL, place.url.path != "/dev/null" else {
        (kind, isThere, workingURL, mode) = (.direct, false, place.url, nil)
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
      workingURL = try MigrationWorkingFiles.make(
        beside: files, like: kind == .database && !isThere && source.url.isFileURL ? source.url : nil)
      mode = source.url.isFileURL && source.url.path != "/dev/null" ? FileMode.ofFile(source.url.path) : nil
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
  private mutating func takeCopy() throws {
    let working = try StoreFiles(workingURL), files = try StoreFiles(place.url)
    let options = try StoreOptions(place.options)
    if kind == .file {
      file = try StoreFile(lookingAt: place.url, timeout: options.timeout)
      return try NSAtomicStore.replaceFile(working, with: files)
    }
    exchange = try StoreExchange(files, options: options)
    try StoreReplacement.replace(working, options: options, with: files, sourceOptions: options)
  }

  /// Puts the store, which is closed and complete, into its place.
  /// - Throws: 134160 with the reason, also where somebody has written a file that was added to; there is what was there
  ///   before then.
  func install() throws {
    do {
      let working = try StoreFiles(workingURL), files = try StoreFiles(place.url)
      switch kind {
      case .direct: return
      case .file:
        if let file { return try file.replace(with: RegularFile.contents(workingURL)) }
        narrow(working)
        try NSAtomicStore.replaceFile(files, with: working)
      case .database:
        if let exchange { return try exchange.takeContents(of: working, willCommit: discard) }
        narrow(working)
        try StoreFiles.synchronize(working.path)
        let store = try StoreCopy(ofClosedStore: working)
        guard try store.install(at: files) else {
          throw NSError(
            coreData: CocoaError.Code.fileWriteFileExists.rawValue, "There is something at \(place.url.path) by now.",
            [NSFilePathErrorKey: place.url.path])
        }
      }
      try StoreFiles.synchronize(URL(fileURLWithPath: files.path).deletingLastPathComponent().path)
    } catch {
      throw MigrationFailure.destination(error, place.url)
    }
  }

  /// Who may not read the old store may not read the new one.
  private func narrow(_ working: StoreFiles) {
    if let mode { chmod(working.path, FileMode.ofFile(working.path) & mode | 0o600) }
  }

  /// Removes what was written and has not been put into its place.
  func discard() {
    if kind == .direct { return }
    MigrationWorkingFiles.remove(workingURL)
  }
}
