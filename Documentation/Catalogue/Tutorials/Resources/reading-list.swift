import CoreData
import Model

let container = NSPersistentContainer(name: "Reading")
container.loadPersistentStores { store, error in
  if let error { fatalError("\(error)") }
  print("Open:", store.url?.lastPathComponent ?? "")
}
let context = container.viewContext

@MainActor func book(_ title: String, pages: Int64) throws -> Book {
  let request = NSFetchRequest<Book>(entityName: "Book")
  request.predicate = NSPredicate(format: "title == %@", title)
  request.fetchLimit = 1
  if let book = try context.fetch(request).first { return book }
  let book = Book(context: context)
  book.title = title
  book.pages = pages
  return book
}

let lem = Author(context: context)
lem.name = "Stanisław Lem"
try book("Solaris", pages: 204).author = lem
lem.addToBooks(try book("Fiasco", pages: 322))
try context.save()

let authors = NSFetchRequest<Author>(entityName: "Author")
authors.relationshipKeyPathsForPrefetching = ["books"]
for author in try context.fetch(authors) {
  print(author.name ?? "")
  for book in (author.books as? Set<Book> ?? []).sorted(by: { $0.pages < $1.pages }) {
    print("  ", book.pages, book.title ?? "")
  }
}
