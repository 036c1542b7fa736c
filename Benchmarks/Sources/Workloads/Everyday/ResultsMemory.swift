import CoreData

/// Lists tracks in batches of 50 and shows the first page; then a track that another context has inserted is merged, and the page
/// is shown again. What that adds to the memory is one page, however many tracks there are.
func runBatchedResults(_ store: Store) throws { try runBatchedResults(store, TrackList.medium) }

/// The same with 1,000,000 tracks.
func runLargeBatchedResults(_ store: Store) throws { try runBatchedResults(store, TrackList.large) }

private func runBatchedResults(_ store: Store, _ count: Int) throws {
  let tracks = try TrackList(store, count, readsAll: false)
  var inserted = 0
  try measure("results-batched-\(count)") {
    tracks.stack.context.reset()
  } work: {
    let shown = try tracks.list(sections: nil, readsAll: false, batchSize: 50)
    var read = shown.readPage()
    try tracks.prepareInserts()
    tracks.mergeInserts()
    inserted += TrackList.changes
    read += shown.readPage()
    guard shown.told == TrackList.changes, shown.counted == count + inserted else {
      throw WorkloadError(description: "results-batched: \(shown.told) changes, \(shown.counted) tracks")
    }
    return read
  }
  try tracks.close()
}
