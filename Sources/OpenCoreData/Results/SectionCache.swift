import Foundation
import OpenCocoaFoundation

/// A file with the sections of one fetch, kept from one run of the program to the next.
///
/// The file is valid for the same request on the same contents of the stores. Any other file, a damaged one too, is
/// ignored and written anew.
struct SectionCache {
  private let url: URL
  private let stamp: String
  /// The stamp of the stores' contents before the fetch, and a function that gives the current one.
  private let stores: (before: String, now: () -> String?)

  private struct Contents: Codable {
    var version = 1
    let stamp: String
    let names: [String]
    let counts: [Int]
  }

  /// Nil if nothing is cached: without a name or a section key path, for a request with blocks, with pending changes,
  /// in a context that is pinned to a generation, or for stores without a stamp, such as stores without files.
  ///
  /// A request that was changed while its cache exists stops the program.
  init?(_ results: FetchedResults, _ fetch: TrackedFetch) throws {
    guard let name = results.cacheName, let keyPath = results.sectionNameKeyPath, Self.isLasting(fetch) else {
      return nil
    }
    let request = Self.text(of: fetch, keyPath)
    let deletions = SectionCacheFolder.deletions(of: name)
    if let known = results.cachedRequest, known.deletions == deletions, known.text != request {
      raise(
        .internalInconsistency,
        "FATAL ERROR: The persistent cache of section information does not match the current configuration.  You have "
          + "illegally mutated the NSFetchedResultsController's fetch request, its predicate, or its sort descriptor "
          + "without either disabling caching or using +deleteCacheWithName:")
    }
    results.cachedRequest = (request, deletions)
    let context = results.context
    guard !Self.hasPending(context), case .unpinned = context.reads.generation,
      let stores = StoreStamp.text(of: try context.requiredCoordinator().persistentStores, fetch.affectedStores)
    else { return nil }
    url = SectionCacheFolder.file(name)
    stamp = request + "\n" + stores
    self.stores = (
      stores, { StoreStamp.text(of: context.persistentStoreCoordinator?.persistentStores ?? [], fetch.affectedStores) }
    )
  }

  /// Returns the sections in the file, if they belong to the present contents of the stores and have `count` objects in
  /// all.
  func table(count: Int) -> SectionTable? {
    guard let data = RegularFile.ownContents(url), let contents = try? JSONDecoder().decode(Contents.self, from: data),
      contents.version == 1, contents.stamp == stamp, contents.names.count == contents.counts.count,
      contents.counts.allSatisfy({ $0 > 0 && $0 <= count })
    else { return nil }
    let names = contents.names.map { SectionName($0) }
    var total = 0
    for part in contents.counts where total <= count { total += part }
    guard total == count, Set(names).count == names.count else { return nil }
    return SectionTable(names: names, counts: contents.counts)
  }

  /// Writes the sections, unless the stores have changed since the fetch began: it would then be unknown to which state
  /// of the stores the sections belong.
  func keep(_ table: SectionTable) {
    guard stores.now() == stores.before, self.table(count: table.total) == nil else { return }
    let sections = table.list.array
    let contents = Contents(stamp: stamp, names: sections.map(\.identifier), counts: sections.map(\.count))
    guard let data = try? JSONEncoder().encode(contents) else { return }
    // An error is ignored: without the file the sections are computed again. The folder is readable for its owner only,
    // since the file has values of the stores.
    try? FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    try? RegularFile.write(data, to: url, mode: 0o600)
  }

  /// Whether another run of the program can compare the request. A block has no text that could be compared.
  private static func isLasting(_ fetch: TrackedFetch) -> Bool {
    fetch.target.sortDescriptors.allSatisfy { $0.selector != nil }
      && fetch.target.predicate?.description.contains("BLOCKPREDICATE") != true
  }

  /// Returns the parts of a request on which its sections depend, as a text.
  private static func text(of fetch: TrackedFetch, _ keyPath: String) -> String {
    let target = fetch.target
    let order = target.sortDescriptors.map { "\($0.key ?? "")|\($0.ascending)|\($0.selector?.description ?? "")" }
    return [
      target.layout.name, target.layout.entity.versionHash.base64EncodedString(),
      target.predicate?.description ?? "", order.joined(separator: ","), keyPath, "\(target.limit)",
      "\(target.offset)", "\(target.includesSubentities)", "\(fetch.resultType.rawValue)",
    ].joined(separator: "\n")
  }

  /// Whether the context, or a context above it, has changes that no store has.
  private static func hasPending(_ context: NSManagedObjectContext) -> Bool {
    context.changed.contains(where: \.hasChanges) || context.ancestors.haveChanges
  }
}
