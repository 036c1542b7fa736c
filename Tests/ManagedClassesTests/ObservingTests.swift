import CoreData
import Testing

@Suite struct ObservingTests {
  @Test func typedAccessorsTell() throws {
    try MusicModel.coordinator().inContext { context in
      let album = Album(context: context), band = Band(context: context), track = Track(context: context)
      var told: [String] = []
      let observations = [
        album.observe(\.title, options: [.old, .new]) {
          told.append("title \($1.oldValue ?? "-") \($1.newValue ?? "-")")
        },
        album.observe(\.year, options: .new) { told.append("year \($1.newValue ?? -1)") },
        album.observe(\.band?.name) { album, _ in told.append("band \(album.band?.name ?? "-")") },
        album.observe(\.tracks, options: [.old, .new]) {
          told.append("tracks \($1.kind == .insertion) \($1.newValue?.count ?? 0) \($1.oldValue?.count ?? 0)")
        },
        track.observe(\.album) { track, _ in told.append("album \(track.album?.title ?? "-")") },
      ]
      (album.title, album.year, album.band) = ("Blue", 1971, band)
      band.name = "Trio"
      #expect(told == ["title - Blue", "year 1971", "band -", "band Trio"])
      told = []
      album.addToTracks(track)
      album.removeFromTracks(track)
      #expect(told == ["album Blue", "tracks true 1 0", "album -", "tracks false 0 1"])
      told = []
      for observation in observations { observation.invalidate() }
      album.title = "Red"
      #expect(told == [])
    }
  }

  /// `willChangeValue`, the primitive property and `didChangeValue` are one change.
  @Test func aCustomAccessorTellsOnce() throws {
    try MusicModel.coordinator().inContext { context in
      let album = Album(context: context)
      var told: [String] = []
      let observation = album.observe(\.title, options: .new) { told.append($1.newValue ?? "-") }
      album.loudTitle = "BLUE"
      observation.invalidate()
      #expect(told == ["blue"])
    }
  }
}
