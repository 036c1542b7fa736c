import Synchronization

@_spi(Store) @testable import OpenCoreData

/// What a save has written of one item.
struct SavedItem: Sendable {
  let entity: String
  let number: Int
  /// The row's key.
  let key: Int?
  /// The stamp of the row that was replaced; 0 for a new one.
  let base: Int
  let stamp: Int
  /// The context that was saved.
  let by: String
  var folder: Int?
  /// Whether the save was to change the folder.
  var setsFolder = false
  var isDeletion = false
}

extension SavedItem: CustomStringConvertible {
  var description: String {
    let place = setsFolder ? ", put into \(folder.map { "folder p\($0)" } ?? "no folder")" : ""
    return "\(entity) \(number) (p\(key ?? 0)) by \(by): \(base) -> \(isDeletion ? "deleted" : "\(stamp)")\(place)"
  }
}

/// What must be in the store: the saves as they were told, in whatever order.
///
/// Optimistic locking makes the saves of one item a chain: each replaces what one other has written, and no two the same.
final class SavedItems: Sendable {
  private let saves = Mutex<[Int: [SavedItem]]>([:])

  /// Numbers of items whose changes a context gave up, because others had deleted them.
  private let lost = Mutex<Set<Int>>([])

  func noteLost(_ number: Int) { _ = lost.withLock { $0.insert(number) } }

  func add(_ items: [SavedItem]) {
    saves.withLock { saves in for item in items { saves[item.number, default: []].append(item) } }
  }

  /// The saves of an item, and of the folder with that key, in the order in which they were told.
  func history(_ number: Int, folder: Int? = nil) -> [SavedItem] {
    saves.withLock { saves in
      (saves[number] ?? [])
        + saves.values.joined().filter { folder != nil && $0.entity == "Folder" && $0.key == folder }
    }
  }

  /// How many items there are, more or less.
  var population: Int { saves.withLock { saves in saves.values.count { !$0.contains(where: \.isDeletion) } } }

  /// What is left of each item, by number, and what cannot have happened.
  func outcome() -> (items: [Int: SavedItem], problems: [String]) {
    let saves = saves.withLock { $0 }
    var items: [Int: SavedItem] = [:], problems: [String] = []
    let gone = Set(
      saves.values.joined().lazy.filter { $0.isDeletion && $0.entity == "Folder" }.compactMap(\.key))
    for (number, all) in saves {
      guard let last = Self.lastOfChain(number, all, gone, &problems), !last.isDeletion else { continue }
      items[number] = last
      // The delete rule of a folder empties it.
      if let folder = last.folder, gone.contains(folder) { items[number]?.folder = nil }
    }
    for number in lost.withLock({ $0 }) where items[number] != nil {
      problems.append("item \(number): a context took it for deleted, and \(saves[number] ?? []) did not delete it")
    }
    return (items, problems)
  }

  /// The last of an item's saves, each on top of the one before.
  private static func lastOfChain(
    _ number: Int, _ all: [SavedItem], _ goneFolders: Set<Int>, _ problems: inout [String]
  ) -> SavedItem? {
    var successors: [Int: SavedItem] = [:]
    // Deletions of what others have changed: right where a third context has deleted the item before them, since a row that is
    // gone is no conflict.
    var late: [SavedItem] = []
    for save in all {
      guard let other = successors.updateValue(save, forKey: save.base) else { continue }
      switch (other.isDeletion, save.isDeletion) {
      // An item that two contexts delete is no conflict, and nothing is lost.
      case (true, true): break
      case (true, false): late.append(other)
      case (false, true):
        successors[save.base] = other
        late.append(save)
      case (false, false):
        problems.append("item \(number): two saves replace stamp \(save.base), a change is lost: \(other), \(save)")
      }
    }
    guard var last = successors.removeValue(forKey: 0) else {
      problems.append("item \(number) was never inserted: \(all)")
      return nil
    }
    while !last.isDeletion, let next = successors.removeValue(forKey: last.stamp) {
      let isKept = next.folder == last.folder || next.folder == nil && goneFolders.contains(last.folder ?? 0)
      if !next.isDeletion, !next.setsFolder, !isKept {
        problems.append("item \(number): the folder changed by itself: \(last), \(next)")
      }
      last = next
    }
    if !late.isEmpty, !last.isDeletion {
      problems.append("item \(number): deletions of what others had changed: \(late), the last save: \(last)")
    }
    if !successors.isEmpty {
      problems.append("item \(number): saves on top of what was never written: \(successors.values), the last: \(last)")
    }
    return last
  }
}
