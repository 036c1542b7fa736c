import Foundation
import OpenCocoaFoundation

// Executing the fetch, and dividing its results into sections.
extension FetchedResults {
  /// The result of a fetch.
  enum Loaded {
    case objects([NSManagedObject])
    case pages(OCDFetchedPages<NSManagedObject>)
    case rows([Any])
  }

  /// - Parameter load: executes the request.
  func performFetch(_ load: () throws -> Loaded) throws {
    context.checkQueue()
    context.events.endBeforeFetch()
    let fetch = try TrackedFetch(request, in: context)
    let cache = try SectionCache(self, fetch)
    let fetched: FetchedContents
    switch try load() {
    case .objects(let objects):
      fetched = FetchedContents(objects: objects, sections: SectionTable(count: objects.count))
    case .pages(let pages): fetched = FetchedContents(pages: pages)
    case .rows(let rows): fetched = FetchedContents(rows: rows)
    }
    if let sectionNameKeyPath {
      fetched.sections =
        try cache?.table(count: fetched.count) ?? table(of: fetched, sectionNameKeyPath, fetch)
      cache?.keep(fetched.sections)
    }
    self.fetch = fetch
    contents = fetched
    snapshotItems = nil
    generation += 1
    (isStale, waiting) = (false, [])
    register()
    tellFetched()
  }

  /// Returns the sections of a list: by one statement if possible, else by reading each object's section name.
  private func table(
    of contents: FetchedContents, _ keyPath: String, _ fetch: TrackedFetch
  ) throws -> SectionTable {
    if contents.rows.isEmpty, let table = try groupedTable(of: contents, keyPath, fetch) { return table }
    var builder = SectionTableBuilder(entity: fetch.target.layout.name, keyPath: keyPath)
    if contents.objectCount == 0 {
      for row in contents.rows {
        try builder.add(try sectionName(of: row, keyPath), count: 1)
      }
    } else {
      // One by one, so that objects in pages are read page by page.
      for place in 0..<contents.objectCount {
        try builder.add(try sectionName(of: contents.object(place), keyPath), count: 1)
      }
    }
    return builder.table
  }

  /// Returns the sections by one statement, if possible; only the objects with pending changes are read.
  private func groupedTable(
    of contents: FetchedContents, _ keyPath: String, _ fetch: TrackedFetch
  ) throws -> SectionTable? {
    let pending = FetchRun(in: context).pendingObjects(fetch.target)
    guard let groups = try FetchRun(in: context).sectionGroups(fetch, keyPath, without: pending) else { return nil }
    let touched = Set(pending)
    // If changes are pending, the contents are not in pages.
    let objects = touched.isEmpty ? [] : contents.objects
    let places = objects.indices.filter { objects[$0].state.contains(.listed) && touched.contains(objects[$0]) }
    guard groups.reduce(places.count, { $0 + $1.count }) == contents.objectCount else { return nil }
    var builder = SectionTableBuilder(entity: fetch.target.layout.name, keyPath: keyPath)
    var rest = groups[...]
    /// Adds the given number of objects from the groups.
    func add(_ count: Int) throws {
      var count = count
      while count > 0, let first = rest.first {
        let part = min(count, first.count)
        try builder.add(first.name, count: part)
        count -= part
        if part == first.count { rest.removeFirst() } else { rest[rest.startIndex].count -= part }
      }
    }
    var end = 0
    for place in places {
      try add(place - end)
      try builder.add(try sectionName(of: objects[place], keyPath), count: 1)
      end = place + 1
    }
    try add(contents.objectCount - end)
    return builder.table
  }

  /// - Throws: 134060 for a key that the object does not have.
  private func sectionName(of object: Any, _ keyPath: String) throws -> SectionName {
    SectionName(
      value: try SQLLoweringError.evaluating { try KeyValueCoding.askedValue(of: object, forKeyPath: keyPath) })
  }

  /// Returns the name of the section that an object belongs to now.
  func sectionName(of object: NSManagedObject) -> SectionName {
    guard let sectionNameKeyPath else { return SectionName("") }
    do {
      return try sectionName(of: object, sectionNameKeyPath)
    } catch {
      Self.log(error)
      return SectionName("")
    }
  }
}

extension FetchedResults {
  /// Logs why an object's place in the result could not be found. The change that caused it cannot report an error.
  static func log(_ error: any Error) {
    FrameworkLog.write("error: (NSFetchedResultsController) \(error.localizedDescription)")
  }
}

/// Makes a table of sections from section names that are added in order.
private struct SectionTableBuilder {
  let entity: String
  let keyPath: String
  private var names: [SectionName] = []
  private var counts: [Int] = []
  private var known: Set<SectionName> = []
  private var total = 0

  init(entity: String, keyPath: String) {
    self.entity = entity
    self.keyPath = keyPath
  }

  var table: SectionTable { SectionTable(names: names, counts: counts) }

  /// - Throws: 134060 if an earlier section than the last one has this name.
  mutating func add(_ name: SectionName, count: Int) throws {
    if names.last == name {
      counts[counts.count - 1] += count
    } else {
      guard known.insert(name).inserted else { throw outOfOrder(name) }
      names.append(name)
      counts.append(count)
    }
    total += count
  }

  private func outOfOrder(_ name: SectionName) -> NSError {
    let reason =
      "The fetched object at index \(total) has an out of order section name '\(name.text). Objects must be sorted by "
      + "section name'"
    FrameworkLog.write("error: (NSFetchedResultsController) \(reason)")
    return NSError(
      coreData: NSCoreDataError,
      "The objects of the entity '\(entity)' are not sorted by the section key path '\(keyPath)': \(reason)",
      ["reason": reason, "entity": entity, "sectionNameKeyPath": keyPath])
  }
}
