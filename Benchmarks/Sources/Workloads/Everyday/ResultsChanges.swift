import CoreData
import Foundation

/// Keeps a list of tracks in a controller while one track at a time is inserted elsewhere and merged, or is renamed.
///
/// A delegate reads each changed object at its new place, and the numbers of objects in the sections, as a list on a screen does; a
/// second kind of delegate reads `fetchedObjects` instead.
func runResults(_ store: Store) throws {
  try runResultsChanges(store, 10_000)
  if !Counting.isOn { try runResultsChanges(store, 100_000) }
  let rows = Counting.isOn ? 10_000 : 100_000
  try runResultsOfSections(store, rows)
  try runResultsListeners(store, rows)
}

/// The same with 1,000,000 tracks.
func runLargeResults(_ store: Store) throws { try runResultsChanges(store, 1_000_000) }

private func runResultsChanges(_ store: Store, _ count: Int) throws {
  let works = ["insert", "rename"].flatMap { kind in [("", false), ("-all", true)].map { (kind, $0.0, $0.1) } }
  let tracks = try TrackList(store, count)
  for (kind, suffix, readsAll) in works {
    let name = "results-\(kind)-\(count)\(suffix)"
    guard Counting.includes(name) else { continue }
    let list = try tracks.list(sections: nil, readsAll: readsAll)
    try measureChanges(name, kind, tracks, [list])
  }
  try tracks.close()
}

/// Renames in a list of 10 and in one of 1,000 sections.
private func runResultsOfSections(_ store: Store, _ count: Int) throws {
  let tracks = try TrackList(store, count)
  for (sections, key) in [(10, "decade"), (1000, "album")] where Counting.includes("results-sections-\(sections)") {
    let list = try tracks.list(sections: key, readsAll: false)
    guard list.controller.sections?.count == sections else {
      throw WorkloadError(description: "results: there are \(list.controller.sections?.count ?? 0) sections")
    }
    try measureChanges("results-sections-\(sections)", "rename", tracks, [list])
  }
  try tracks.close()
}

/// Renames while one controller follows, and while ten do.
private func runResultsListeners(_ store: Store, _ count: Int) throws {
  let tracks = try TrackList(store, count)
  for listeners in [1, 10] where Counting.includes("results-listeners-\(listeners)") {
    let lists = try (0..<listeners).map { _ in try tracks.list(sections: nil, readsAll: false) }
    try measureChanges("results-listeners-\(listeners)", "rename", tracks, lists)
  }
  try tracks.close()
}

private func measureChanges(_ name: String, _ kind: String, _ tracks: TrackList, _ lists: [ShownList]) throws {
  let told = lists.reduce(0) { $0 + $1.told }
  var changes = 0
  try measure(
    name,
    prepare: {
      try tracks.save()
      if kind == "insert" { try tracks.prepareInserts() }
    },
    work: {
      changes += TrackList.changes
      if kind == "insert" { tracks.mergeInserts() } else { tracks.rename() }
      return TrackList.changes
    })
  guard lists.reduce(0, { $0 + $1.told }) - told == changes * lists.count else {
    throw WorkloadError(description: "\(name): the delegates were not told of \(changes) changes")
  }
  for list in lists { try list.check() }
}
