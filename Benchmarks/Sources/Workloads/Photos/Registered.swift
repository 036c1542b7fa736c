import CoreData

/// Fetches 10,000 photos that the context already has with their values.
func runRegistered(_ store: Store) throws {
  let stack = try store.open(PhotoSet(PhotoSet.small, .none))
  let request = NSFetchRequest<Photo>(entityName: "Photo")
  request.returnsObjectsAsFaults = false
  let known = try stack.context.fetch(request)
  var photos: [Photo] = []
  try measure("registered") {
    photos = []
  } answer: {
    Photo.likes(of: photos)
  } work: {
    photos = try stack.context.fetch(NSFetchRequest<Photo>(entityName: "Photo"))
    return photos.count
  }
  guard zip(photos, known).allSatisfy(===) else {
    throw WorkloadError(description: "registered: the photos are others than the context has")
  }
  photos = []
  try stack.close()
}
