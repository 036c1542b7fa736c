import CoreData
import Foundation
import PerformanceTuning

/// Fetches all photos with their values, with an empty row cache; each fetch releases the objects of the one before.
func runServerFetch(_ place: ServerPlace, _ name: String, _ count: Int) throws {
  let stack = try place.album(ServerPlace.photos(count))
  let request = NSFetchRequest<Photo>(entityName: "Photo")
  request.returnsObjectsAsFaults = false
  var photos: [Photo] = []
  try measure(
    name, prepare: { stack.coordinator.emptyRowCache() }, answer: { sum(of: photos) },
    work: {
      photos = []
      stack.context.reset()
      photos = try stack.context.fetch(request)
      return photos.count
    })
  photos = []
  try stack.close()
}

/// Returns a number that distinguishes photos from others, in any order, as in `Baseline/PostgreSQL/server_photos.c`.
private func sum(of photos: [Photo]) -> Int {
  var sum = UInt64(photos.count)
  for photo in photos {
    let texts = (photo.assetURL?.utf8.count ?? 0) + (photo.locationDesc?.utf8.count ?? 0)
    sum &+= photo.date?.timeIntervalSinceReferenceDate.bitPattern ?? 0
    sum &+= UInt64(Int(photo.likes) * 31 + Int(photo.size) + texts)
  }
  return Int(truncatingIfNeeded: Int64(bitPattern: sum))
}

/// Reads the likes of photos that are faults, with an empty row cache.
func runServerFaults(_ place: ServerPlace, _ name: String, _ count: Int) throws {
  let stack = try place.album(ServerPlace.photos(count))
  let request = NSFetchRequest<Photo>(entityName: "Photo")
  request.includesPropertyValues = false
  var photos: [Photo] = []
  try measure(
    name,
    prepare: {
      photos = []
      stack.context.reset()
      stack.coordinator.emptyRowCache()
      photos = try stack.context.fetch(request)
    },
    work: { photos.reduce(0) { $0 + Int($1.likes) } })
  photos = []
  try stack.close()
}

/// Fetches selfies with their people prefetched, with an empty row cache; then does the same, and reads all names.
func runServerPrefetch(_ place: ServerPlace, _ name: String, _ count: Int) throws {
  let stack = try place.people(ServerPlace.pairs(count))
  let request = Selfie.fetchRequest() as NSFetchRequest<Selfie>
  request.relationshipKeyPathsForPrefetching = ["people"]
  var selfies: [Selfie] = []
  func prepare() {
    selfies = []
    stack.context.reset()
    stack.container.persistentStoreCoordinator.emptyRowCache()
  }
  func bytes() -> Int {
    var bytes = 0
    for selfie in selfies {
      for person in selfie.people { bytes += person.name?.utf8.count ?? 0 }
    }
    return bytes
  }
  try measure(name, prepare: prepare, answer: bytes) {
    selfies = try stack.context.fetch(request)
    return selfies.count
  }
  try measure("\(name)-walk", prepare: prepare) {
    selfies = try stack.context.fetch(request)
    return bytes()
  }
  selfies = []
  try stack.close()
}
