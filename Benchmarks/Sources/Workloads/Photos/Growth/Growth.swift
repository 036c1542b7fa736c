import CoreData
import Foundation

/// Does the same work with 10,000 and with 1,000,000 photos, which should take a hundred times as long. The answer of each work
/// is the number of photos.
func atBothSizes(_ work: (PhotoSet) throws -> Void) throws {
  for count in [PhotoSet.small, PhotoSet.large] { try work(PhotoSet(count, .none)) }
}

/// Fetches all photos with their values, with an empty row cache.
func runFetchGrowth(_ store: Store) throws {
  try atBothSizes { set in
    let stack = try store.open(set)
    let request = NSFetchRequest<Photo>(entityName: "Photo")
    request.returnsObjectsAsFaults = false
    var photos: [Photo] = []
    try measure(set.work("growth-fetch")) {
      photos = []
      stack.context.reset()
      stack.coordinator.emptyRowCache()
    } work: {
      photos = try stack.context.fetch(request)
      return photos.count
    }
    photos = []
    try stack.close()
  }
}

/// Fetches all photos, with their values, when the context has them already.
func runRegisteredGrowth(_ store: Store) throws {
  try atBothSizes { set in
    let stack = try store.open(set)
    let request = NSFetchRequest<Photo>(entityName: "Photo")
    request.returnsObjectsAsFaults = false
    let known = try stack.context.fetch(request)
    var photos: [Photo] = []
    try measure(set.work("growth-registered")) {
      photos = []
    } work: {
      photos = try stack.context.fetch(NSFetchRequest<Photo>(entityName: "Photo"))
      return photos.count
    }
    guard zip(photos, known).allSatisfy(===) else {
      throw WorkloadError(description: "growth-registered: the photos are others than the context has")
    }
    photos = []
    try stack.close()
  }
}

/// Inserts photos and saves them in one save.
func runInsertGrowth(_ store: Store) throws {
  let records = PhotoRecord.make(PhotoSet.large)
  try atBothSizes { set in
    var stack: AlbumStack?
    func prepare() throws {
      try stack?.close()
      try store.remove(store.scratch)
      stack = try AlbumStack(url: store.scratch)
    }
    try measure(
      set.work("growth-insert"), prepare: prepare,
      answer: { try stack?.context.count(for: NSFetchRequest<Photo>(entityName: "Photo")) ?? 0 },
      work: { try stack?.context.insert(records.prefix(set.count), inBatchesOf: set.count) ?? 0 })
    try stack?.close()
  }
  try store.remove(store.scratch)
}

/// Deletes every second photo and saves once, when the context has all photos with their values.
func runDeleteGrowth(_ store: Store) throws {
  try atBothSizes { set in
    var stack: AlbumStack?
    var photos: [Photo] = []
    func context() throws -> NSManagedObjectContext {
      guard let stack else { throw WorkloadError(description: "no stack") }
      return stack.context
    }
    try measure(
      set.work("growth-delete"),
      prepare: {
        photos = []
        try stack?.close()
        stack = try store.openCopy(of: set)
        let request = NSFetchRequest<Photo>(entityName: "Photo")
        request.returnsObjectsAsFaults = false
        photos = try context().fetch(request)
      },
      answer: { set.count - (try context().count(for: NSFetchRequest<Photo>(entityName: "Photo"))) },
      work: {
        let context = try context()
        for place in stride(from: 0, to: photos.count, by: 2) { context.delete(photos[place]) }
        try context.save()
        return set.count / 2
      })
    photos = []
    try stack?.close()
  }
  try store.remove(store.scratch)
}
