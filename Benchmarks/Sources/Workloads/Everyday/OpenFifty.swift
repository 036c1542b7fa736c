import CoreData
import Foundation

/// Opens a container of 50 entities whose store is there, as the first of the process. Its time is printed as it is, since nothing can
/// be repeated.
func runFirstOpening(_ store: Store) throws {
  let model = OpeningModel.make(50)
  let url = store.fifty
  if !FileManager.default.fileExists(atPath: url.path) {
    throw WorkloadError(description: "\(url.path) is not there; run 'prepare' first")
  }
  var stack: ModelStack?
  let sample = try Sample {
    stack = try ModelStack(url: url, model)
    return try stack?.count(model) ?? 0
  }
  report("open-50-first", cpu: sample.cpu, answer: sample.answer)
  try stack?.close()
}

/// Opens the same container again and again: of one model, and of a model that is made anew.
func runOpeningAgain(_ store: Store) throws {
  var model = OpeningModel.make(50)
  var stack: ModelStack?
  for (name, isAnew) in [("open-50-again", false), ("open-50-model", true)] {
    try measure(
      name,
      prepare: {
        try stack?.close()
        if isAnew { model = OpeningModel.make(50) }
      },
      work: {
        let opened = try ModelStack(url: store.fifty, model)
        stack = opened
        return try opened.count(model)
      })
  }
  try stack?.close()
}

extension Store {
  /// The store with 50 entities, which `prepare` makes.
  fileprivate var fifty: URL { folder.appending(path: "framework-fifty.sqlite") }

  /// Makes the store with one object.
  func prepareFifty() throws {
    try remove(fifty)
    let stack = try ModelStack(url: fifty, OpeningModel.make(50))
    stack.context.insert("Entity7").setValue("here", forKey: "attribute0")
    try stack.context.save()
    try stack.close()
  }
}

extension ModelStack {
  /// Returns the number of entities of the model, if the store has its object.
  fileprivate func count(_ model: NSManagedObjectModel) throws -> Int {
    let found = try context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Entity7"))
    return found == 1 ? model.entities.count : 0
  }
}
