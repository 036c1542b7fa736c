import CoreData

/// Opens a store of photos with another version of their model, which migrates the store.
func runMigrate(_ store: Store, _ count: Int) throws {
  let set = PhotoSet(count, .none)
  var stack: AlbumStack?
  func measureMigration(_ name: String, counting format: String, _ change: (NSEntityDescription) -> Void) throws {
    try measure(
      set.work(name),
      prepare: {
        try stack?.close()
        stack = nil
        try store.copy(store.file(of: set), to: store.scratch)
      },
      answer: {
        // The objects are not fetched as `Photo`, because this class belongs to the old version.
        let request = NSFetchRequest<NSManagedObject>(entityName: "Photo")
        request.predicate = NSPredicate(format: format)
        return try stack?.context.count(for: request) ?? 0
      },
      work: {
        stack = try AlbumStack(url: store.scratch, change: change)
        return 0
      })
  }
  try measureMigration("migrate-add", counting: "shares == 7") { photo in
    let shares = NSAttributeDescription()
    shares.name = "shares"
    shares.attributeType = .integer32AttributeType
    shares.defaultValue = 7
    photo.properties.append(shares)
  }
  try measureMigration("migrate-remove", counting: "size >= 4500000") { photo in
    photo.properties.removeAll { $0.name == "locationDesc" }
  }
  try measureMigration("migrate-convert", counting: "likes > 499.5") { photo in
    photo.attributesByName["likes"]?.attributeType = .doubleAttributeType
  }
  try stack?.close()
  try store.remove(store.scratch)
}
