import CoreData

/// The stacks of a search: one with the sightings and, in a second store, their words; and one with the same words alone.
@MainActor struct Stack {
  let container: NSPersistentContainer
  let words: NSPersistentContainer

  /// The sightings, their tokens, and the words of the second store.
  var context: NSManagedObjectContext { container.viewContext }
  /// The words alone.
  var ownContext: NSManagedObjectContext { words.viewContext }

  /// Opens the stores in a folder, and makes those that do not exist.
  ///
  /// - Throws: The errors of opening the stores.
  static func open(in folder: URL) async throws -> Stack {
    let model = Model.search
    return Stack(
      container: try await container(
        model,
        [("Sightings", folder.appending(path: "Sightings.sqlite")), ("Words", folder.appending(path: "Words.sqlite"))]),
      words: try await container(model, [("Words", folder.appending(path: "OwnWords.sqlite"))]))
  }

  /// Opens a store for each configuration; nil is the whole model.
  static func container(
    _ model: NSManagedObjectModel, _ stores: [(configuration: String?, url: URL)]
  ) async throws -> NSPersistentContainer {
    let container = NSPersistentContainer(name: "Search", managedObjectModel: model)
    container.persistentStoreDescriptions = stores.map { store in
      let description = NSPersistentStoreDescription(url: store.url)
      description.configuration = store.configuration
      return description
    }
    // Without the option to do so later, stores are added before the call returns, one after the other.
    var failure: (any Error)?
    container.loadPersistentStores { _, error in failure = failure ?? error }
    if let failure { throw failure }
    return container
  }
}

/// The models of the program, each loaded once.
enum Model {
  static let search = load("Search")
  static let keeping = load("Keeping")

  private static func load(_ name: String) -> NSManagedObjectModel {
    guard let url = Bundle.module.url(forResource: name, withExtension: "momd"),
      let model = NSManagedObjectModel(contentsOf: url)
    else { fatalError("The model \(name) is not in the program's resources.") }
    return model
  }
}
