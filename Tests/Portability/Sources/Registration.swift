import CoreData

/// What generated code registers is found: the model, its classes, the names of key paths, validation and computed properties.
enum Registration {
  static func check() throws {
    // The first question of the process is by a key path, the next by a class's name; no model was loaded yet.
    Portability.expect(NSSortDescriptor(keyPath: \Article.title, ascending: true).key == "title")
    Portability.expect(NSClassFromString("Article") == Article.self && NSClassFromString("Shelf") == Shelf.self)
    let container = try StoreFiles.container(NSInMemoryStoreType, URL(fileURLWithPath: "/dev/null"))
    let context = container.viewContext
    let names = ["Article", "Book", "Shelf", "Tag"]
    let types = names.map { type(of: NSEntityDescription.insertNewObject(forEntityName: $0, into: context)) }
    Portability.expect(types.map { "\($0)" } == names && types[1] == Book.self)
    context.rollback()
    let shelf = Shelf(context: context)
    shelf.name = ""
    Portability.expect((try? context.save()) == nil)
    shelf.name = "top"
    try context.save()
    Portability.expect(shelf.value(forKey: "shouted") as? String == "TOP")
    Portability.expect(NSPredicate(format: "shouted == 'TOP'").evaluate(with: shelf))
    let model = NSManagedObjectModel.mergedModel(from: nil).map { Set($0.entitiesByName.keys) }
    Portability.expect(model == Set(names))
    print("the model, \(names.count) classes, key paths, validation and computed properties are registered")
  }
}
