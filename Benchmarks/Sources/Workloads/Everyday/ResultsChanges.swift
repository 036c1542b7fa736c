import CoreData

/// Keeps a list of tracks in a controller while one track at a time is inserted elsewhere and merged, or is renamed.
///
/// The delegate reads each changed object at its new place, and the numbers of objects in the sections, as a list on a screen
/// does. A second kind of delegate reads `fetchedObjects` instead.
func runResults(_ store: Store) throws {
  for count in Counting.isOn ? [TrackList.small] : [TrackList.small, TrackList.medium] {
    let tracks = try TrackList(store, count)
    try runResultsChanges(tracks, count)
    if count == TrackList.medium || Counting.isOn {
      try runResultsOfSections(tracks)
      try runResultsListeners(tracks)
    }
    try tracks.close()
  }
}

/// The same with 1,000,000 tracks.
func runLargeResults(_ store: Store) throws {
  let tracks = try TrackList(store, TrackList.large)
  try runResultsChanges(tracks, TrackList.large)
  try tracks.close()
}

/// Merges inserted tracks into lists in batches of 50, of whose tracks no more than some pages are in memory.
func runPagedResults(_ store: Store) throws {
  for count in [TrackList.small, TrackList.medium] { try runPagedResults(store, count) }
}

/// The same with 1,000,000 tracks.
func runLargePagedResults(_ store: Store) throws { try runPagedResults(store, TrackList.large) }

private func runPagedResults(_ store: Store, _ count: Int) throws {
  guard Counting.includes("results-paged-insert-\(count)") else { return }
  let tracks = try TrackList(store, count, readsAll: false)
  let list = try tracks.list(sections: nil, readsAll: false, batchSize: 50)
  try measureChanges("results-paged-insert-\(count)", .insert, tracks, [list])
  try tracks.close()
}

/// The kinds of changes.
private enum Kind: String, CaseIterable { case insert, rename }

private func runResultsChanges(_ tracks: TrackList, _ count: Int) throws {
  for kind in Kind.allCases {
    for (suffix, readsAll) in [("", false), ("-all", true)] {
      let name = "results-\(kind)\(suffix)-\(count)"
      guard Counting.includes(name) else { continue }
      try measureChanges(name, kind, tracks, [tracks.list(sections: nil, readsAll: readsAll)])
    }
  }
}

/// Renames in a list of 10 and in one of 1,000 sections.
private func runResultsOfSections(_ tracks: TrackList) throws {
  for (sections, key) in [(10, "decade"), (1000, "album")] where Counting.includes("results-sections-\(sections)") {
    let list = try tracks.list(sections: key, readsAll: false)
    guard list.controller.sections?.count == sections else {
      throw WorkloadError(description: "results: there are \(list.controller.sections?.count ?? 0) sections")
    }
    try measureChanges("results-sections-\(sections)", .rename, tracks, [list])
  }
}

/// Renames while one controller follows, and while ten do.
private func runResultsListeners(_ tracks: TrackList) throws {
  for listeners in [1, 10] where Counting.includes("results-listeners-\(listeners)") {
    let lists = try (0..<listeners).map { _ in try tracks.list(sections: nil, readsAll: false) }
    try measureChanges("results-listeners-\(listeners)", .rename, tracks, lists)
  }
}

/// Measures ten changes, each an event of its own, and checks that the lists were told of them and show what a fetch finds.
private func measureChanges(_ name: String, _ kind: Kind, _ tracks: TrackList, _ lists: [ShownList]) throws {
  var changes = 0
  try measure(
    name,
    prepare: {
      try tracks.save()
      if kind == .insert { try tracks.prepareInserts() }
    },
    work: {
      changes += TrackList.changes
      switch kind {
      case .insert: tracks.mergeInserts()
      case .rename: tracks.rename()
      }
      return TrackList.changes * lists.count
    })
  for list in lists {
    guard list.told == changes else {
      throw WorkloadError(description: "\(name): a delegate was told of \(list.told) changes, not \(changes)")
    }
    try list.check()
  }
}
