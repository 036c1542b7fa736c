import CoreData
import Model

let container = NSPersistentContainer(name: "Reading")
container.loadPersistentStores { store, error in
  if let error { fatalError("\(error)") }
  print("Open:", store.url?.lastPathComponent ?? "")
}
let context = container.viewContext
context.automaticallyMergesChangesFromParent = true

let count = try await container.performBackgroundTask { background in
  for number in 1...1000 {
    let book = Book(context: background)
    book.title = "Yearbook \(number)"
    book.pages = Int64(number)
  }
  try background.save()
  return try background.count(for: NSFetchRequest<Book>(entityName: "Book"))
}
print(count, "books")
