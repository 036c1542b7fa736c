import CoreData

/// Changes 100,000 of 200,000 photos in random order and saves them in one save; deletes as many in the same way.
///
/// The context has all photos with their values.
func runScattered(_ store: Store) throws {
  let set = PhotoSet(PhotoSet.medium, .none)
  let chosen = XorShift.order(set.count, seed: 4242).prefix(100_000)
  let request = NSFetchRequest<Photo>(entityName: "Photo")
  request.returnsObjectsAsFaults = false
  var stack: AlbumStack?
  var photos: [Photo] = []
  func measureSave(_ name: String, _ change: (NSManagedObjectContext, Photo) -> Void) throws {
    try measure(
      name,
      prepare: {
        photos = []
        try stack?.close()
        let copy = try store.openCopy(of: set)
        photos = try copy.context.fetch(request)
        stack = copy
      },
      answer: {
        photos = []
        stack?.context.reset()
        stack?.coordinator.emptyRowCache()
        return Photo.likes(of: try stack?.context.fetch(request) ?? [])
      },
      work: {
        guard let context = stack?.context else { return 0 }
        for number in chosen { change(context, photos[number - 1]) }
        try context.save()
        return chosen.count
      })
  }
  try measureSave("scattered-updates") { _, photo in photo.likes += 1 }
  try measureSave("scattered-deletes") { context, photo in context.delete(photo) }
  photos = []
  try stack?.close()
  try store.remove(store.scratch)
}
