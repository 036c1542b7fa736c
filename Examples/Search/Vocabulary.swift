import CoreData

/// The objects of words, one for each, over saves and resets of their context.
@MainActor final class Vocabulary<Object: NSManagedObject> {
  let context: NSManagedObjectContext
  private let name: (Object, String) -> Void
  private var saved: [String: NSManagedObjectID] = [:]
  private var new: [String: Object] = [:]

  /// - Parameter name: Gives a new object its word.
  init(_ context: NSManagedObjectContext, name: @escaping (Object, String) -> Void) {
    self.context = context
    self.name = name
  }

  /// The object of a word, which is made where there is none yet.
  subscript(word: String) -> Object {
    if let object = new[word] { return object }
    if let id = saved[word], let object = context.object(with: id) as? Object { return object }
    let object = Object(context: context)
    name(object, word)
    new[word] = object
    return object
  }

  /// To be called after a save, and before the context is reset: only now have new objects the IDs that they keep.
  func noteSaved() {
    for (word, object) in new { saved[word] = object.objectID }
    new = [:]
  }
}
