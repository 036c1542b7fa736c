import CommandSupport
import Foundation
import OpenCoreData
import Synchronization

/// The copy in SQLite of a store in one file or of a web service, which all readers of the store in this process share.
///
/// The copy is made by the reader that first finds the store changed; others wait for it. It is removed when the store has
/// changed and nobody reads the old copy any more, and with the last reader.
final class SharedCopy: @unchecked Sendable {  // `lock` guards `latest`
  /// One state of the store.
  final class Content {
    let stamp: String?
    let metadata: [String: Any]
    let copy: SQLiteCopy

    init(_ stamp: String?, _ metadata: [String: Any], _ copy: SQLiteCopy) {
      (self.stamp, self.metadata, self.copy) = (stamp, metadata, copy)
    }
  }

  /// Readers of one store whose models have the same versions of the entities get the same copy.
  private struct Key: Hashable {
    let url: URL
    let hashes: [String: Data]
  }

  private struct Reference: Sendable { weak var copy: SharedCopy? }

  private static let all = Mutex<[Key: Reference]>([:])

  /// How often a copy is begun anew because others have saved meanwhile.
  private static let attempts = 5

  private let lock = NSLock(), making = NSLock()
  private var latest: Content?

  private init() {}

  /// Returns the copy that readers of a store share.
  static func of(_ url: URL, _ model: NSManagedObjectModel) -> SharedCopy {
    let key = Key(url: url, hashes: model.entityVersionHashesByName)
    return all.withLock { all in
      all = all.filter { $0.value.copy != nil }
      if let known = all[key]?.copy { return known }
      let new = SharedCopy()
      all[key] = Reference(copy: new)
      return new
    }
  }

  /// Returns the present state of the store. The copy stays for as long as the result is held.
  /// - Throws: a ``ToolError`` if the store cannot be read.
  func content(_ access: StoreAccess, _ kind: StoreKind) throws -> Content {
    if let known = known(try kind.stamp(access.url)) { return known }
    return try making.withLock {
      for _ in 0..<Self.attempts {
        let stamp = try kind.stamp(access.url)
        // Another reader may have made the copy meanwhile.
        if let known = known(stamp) { return known }
        guard try StoreKind.of(access.url) == kind else {
          throw ToolError("The store \(access.url.shown) was replaced by one of another kind.")
        }
        let model = try access.required(kind)
        var metadata = try kind.metadata(access.url)
        metadata[StorePlace.serviceStateKey] = nil
        let content = Content(stamp, metadata, try SQLiteCopy(of: access.url, kind, model: model))
        guard try kind.isReadInOneStep || kind.stamp(access.url) == stamp else { continue }
        lock.withLock { latest = content }
        return content
      }
      throw ToolError(
        "\(access.url.shown) cannot be shown: each of \(Self.attempts) times that its objects were copied, others saved "
          + "meanwhile. Try again when fewer save.")
    }
  }

  private func known(_ stamp: String?) -> Content? {
    guard let stamp else { return nil }
    return lock.withLock { latest?.stamp == stamp ? latest : nil }
  }
}
