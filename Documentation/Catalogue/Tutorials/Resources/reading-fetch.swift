import CoreData
import Model

let container = NSPersistentContainer(name: "Reading")
container.loadPersistentStores { store, error in
  if let error { fatalError("\(error)") }
  print("Open:", store.url?.lastPathComponent ?? "")
}
let context = container.viewContext

let solaris = Book(context: context)
solaris.title = "Solaris"
solaris.pages = 204
let kindred = Book(context: context)
kindred.title = "Kindred"
kindred.pages = 264
kindred.isRead = true
try context.save()

let request = NSFetchRequest<Book>(entityName: "Book")
request.predicate = NSPredicate(format: "isRead == NO")
request.sortDescriptors = [NSSortDescriptor(key: "pages", ascending: true)]
for book in try context.fetch(request) {
  print(book.pages, book.title ?? "")
}
