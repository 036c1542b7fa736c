import CoreData
import Model

let container = NSPersistentContainer(name: "Reading")
container.loadPersistentStores { store, error in
  if let error { fatalError("\(error)") }
  print("Open:", store.url?.lastPathComponent ?? "")
}
let context = container.viewContext
context.automaticallyMergesChangesFromParent = true

let request = NSFetchRequest<Book>(entityName: "Book")
request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
let controller = NSFetchedResultsController(
  fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: nil, cacheName: nil)
try controller.performFetch()
var lists = controller.snapshots.makeAsyncIterator()
let before = await lists.next()?.numberOfItems ?? 0

try await container.performBackgroundTask { background in
  let book = Book(context: background)
  book.title = "Eden"
  try background.save()
}
let after = await lists.next()?.numberOfItems ?? 0
print(after - before, "book more")
